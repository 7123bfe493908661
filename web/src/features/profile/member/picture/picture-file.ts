import type { Size, Square } from './square.ts';

/** A chosen picture that this browser can show. `close` gives its address back. */
export type ChosenPicture = Size & {
  readonly image: HTMLImageElement;
  readonly address: string;
  close(): void;
};

/** Why a file is not one: what the catalogue calls it. */
export type PictureFault = 'NOT_A_PICTURE' | 'TOO_LARGE';

const largestFile = 50 * 1024 * 1024;
const largestPixels = 100_000_000;
/** Pixels of a side of what is sent. */
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
 * Draws the square anew at 512 × 512. Only what is seen leaves the browser: where and with what a photograph was taken stays
 * behind. WebP, or PNG where the browser writes none.
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
