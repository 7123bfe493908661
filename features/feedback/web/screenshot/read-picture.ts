import { longestSide, type Size, workingSize } from './geometry.ts';
import { pictureSize } from './picture-size.ts';

/** The pixels of a picture, without the rest of its file. */
export type Base = Size & { readonly canvas: HTMLCanvasElement };

export type UnreadablePicture = 'NOT_A_PICTURE' | 'TOO_HEAVY' | 'TOO_LARGE';

const heaviestFile = 30 * 1024 * 1024;
/** Bytes that are searched for the size: a photograph may have a preview and a colour profile before it. */
const headBytes = 1024 * 1024;

/**
 * Decodes a file, upright, at the size at which it is worked on. Only the pixels are used: place, camera and
 * other data about the person in the file are left out.
 */
export async function readPicture(file: Blob): Promise<Base | UnreadablePicture> {
  if (file.size > heaviestFile) return 'TOO_HEAVY';
  const declared = pictureSize(new Uint8Array(await file.slice(0, headBytes).arrayBuffer()));
  if (declared !== null && isTooLarge(declared)) return 'TOO_LARGE';
  const decoded = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null);
  if (decoded === null) return 'NOT_A_PICTURE';
  try {
    return isTooLarge(decoded) ? 'TOO_LARGE' : toBase(decoded, decoded);
  } finally {
    decoded.close();
  }
}

function isTooLarge({ width, height }: Size): boolean {
  return width > longestSide || height > longestSide;
}

/** Copies the pixels of `source`, of size `size`, scaled down to the working size. */
export function toBase(source: CanvasImageSource, size: Size): Base {
  const { width, height } = workingSize(size);
  const canvas = document.createElement('canvas');
  const context = sized(canvas, { width, height });
  context.drawImage(source, 0, 0, width, height);
  return { width, height, canvas };
}

/** Sizes and empties a canvas, and returns its context. */
export function sized(canvas: HTMLCanvasElement, { width, height }: Size): CanvasRenderingContext2D {
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error(`no canvas of ${width} × ${height} pixels`);
  context.imageSmoothingQuality = 'high';
  return context;
}
