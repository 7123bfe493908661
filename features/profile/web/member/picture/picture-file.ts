/** A square of a picture, in the picture's own pixels. */
type Square = { readonly x: number; readonly y: number; readonly side: number };
type Size = { readonly width: number; readonly height: number };

/** The smallest square, as a share of the shorter side. */
export const smallestPart = 0.1;

/** The largest square, in the middle. */
export function largestSquare({ width, height }: Size): Square {
  const side = Math.min(width, height);
  return { x: (width - side) / 2, y: (height - side) / 2, side };
}

/** The nearest square inside the picture, and no smaller than the smallest. */
export function within(picture: Size, square: Square): Square {
  const longest = Math.min(picture.width, picture.height);
  const side = clamp(square.side, longest * smallestPart, longest);
  return {
    side,
    x: clamp(square.x, 0, picture.width - side),
    y: clamp(square.y, 0, picture.height - side),
  };
}

/** Another size around the same middle. */
export function resized(picture: Size, { x, y, side }: Square, next: number): Square {
  const half = (side - next) / 2;
  return within(picture, { x: x + half, y: y + half, side: next });
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), Math.max(least, most));
}

/** A square in percent of the picture, as the crop frame expects it. */
export function toPercent({ width, height }: Size, { x, y, side }: Square) {
  return {
    unit: '%' as const,
    x: (x / width) * 100,
    y: (y / height) * 100,
    width: (side / width) * 100,
    height: (side / height) * 100,
  };
}

export function fromPercent(picture: Size, crop: { x: number; y: number; width: number }): Square {
  return within(picture, {
    x: (crop.x / 100) * picture.width,
    y: (crop.y / 100) * picture.height,
    side: (crop.width / 100) * picture.width,
  });
}

/** A chosen picture that this browser can show. `close` releases its address. */
export type ChosenPicture = Size & {
  readonly image: HTMLImageElement;
  readonly address: string;
  close(): void;
};

/** Why a file is not accepted, as named in the catalogue. */
export type PictureFault = 'NOT_A_PICTURE' | 'TOO_LARGE';

const largestFile = 50 * 1024 * 1024;
const largestPixels = 100_000_000;
/** The side of the picture that is sent, in pixels. */
const side = 512;

/** Reads a file as a picture, turned the way its metadata asks. */
export async function readPicture(file: File): Promise<ChosenPicture | PictureFault> {
  if (file.size > largestFile) return 'TOO_LARGE';
  const address = URL.createObjectURL(file);
  const close = () => URL.revokeObjectURL(address);
  const image = new Image();
  image.src = address;
  const seen = await image.decode().then(
    () => true,
    () => false,
  );
  const { naturalWidth: width, naturalHeight: height } = image;
  if (seen && width > 0 && height > 0 && width * height <= largestPixels)
    return { image, address, width, height, close };
  close();
  return width * height > largestPixels ? 'TOO_LARGE' : 'NOT_A_PICTURE';
}

/**
 * Draws the square at 512 × 512. Only its pixels leave the browser, without the metadata of the photograph.
 * WebP, or PNG if the browser cannot write WebP.
 */
export async function drawSquare(image: HTMLImageElement, square: Square): Promise<File> {
  const canvas = document.createElement('canvas');
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser draws no pictures.');
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, square.x, square.y, square.side, square.side, 0, 0, side, side);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp', 0.9));
  if (blob === null) throw new Error('This browser could not write the picture.');
  return new File([blob], blob.type === 'image/webp' ? 'avatar.webp' : 'avatar.png', { type: blob.type });
}
