import { pictureLimits } from '#features/branding/contract/branding.ts';

/** Pixels of the longer side: half of a wide screen, twice as dense. */
const longest = 1_920;
const quality = 0.82;

/**
 * A picture that the server takes: SVG and a PNG that is small enough as they are, everything else redrawn as a JPEG
 * of a fitting size, upright, without what cameras write into it. What cannot be drawn stays as it is, to be refused.
 */
export async function smallerPicture(file: Blob): Promise<Blob> {
  const fits = file.size <= pictureLimits.bytes;
  if (file.type === 'image/svg+xml' || (file.type === 'image/png' && fits)) return file;
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (bitmap === null) return file;
  const scale = Math.min(1, longest / Math.max(bitmap.width, bitmap.height));
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(bitmap.width * scale)),
    Math.max(1, Math.round(bitmap.height * scale)),
  );
  const context = canvas.getContext('2d');
  if (context === null) return file;
  // A JPEG has no transparency, which would become black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return canvas.convertToBlob({ type: 'image/jpeg', quality });
}
