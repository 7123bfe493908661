import type { Size, Square } from './square.ts';

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
