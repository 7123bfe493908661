import { feedbackLimits } from '#features/feedback/contract/feedback.ts';
import type { FieldProblem } from '#contract/problem.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import { cleanFilename } from '#features/files/server/filename.ts';
import { cleanPng, type CleanPng, type PngFault } from '#server/platform/files/clean-png.ts';

/** A picture of a report, known by its bytes, before it is stored. */
export type NamedPicture = CleanPng & { filename: string };

type Fault = PngFault | 'format' | 'too_big';

const messages: Record<Fault, string> = {
  format: 'is not padded base64 (RFC 4648, 4)',
  too_big: `is a picture of more than ${feedbackLimits.pictureBytes} bytes`,
  not_a_png: 'is not a PNG',
  too_many_pixels: `is a picture of more than ${feedbackLimits.pictureSide} pixels on a side, or ${feedbackLimits.picturePixels} altogether`,
  damaged: 'is a PNG that is cut off, changed, or more than a PNG',
};

const limits = { side: feedbackLimits.pictureSide, pixels: feedbackLimits.picturePixels };

/** A picture as it was sent; null where its bytes could not be read. */
export type SentBytes = { bytes: Uint8Array | null; filename: string };

/**
 * The pictures of a report as they will be stored: their bytes decide the type, not what their sender claims.
 *
 * @throws HttpProblem INVALID_BODY that points at each part that is no picture
 */
export async function readPictures(sent: readonly SentBytes[]): Promise<NamedPicture[]> {
  const errors: FieldProblem[] = [];
  const pictures: NamedPicture[] = [];
  for (const [index, { bytes, filename }] of sent.entries()) {
    const picture = await readPicture(bytes);
    if (typeof picture === 'string')
      errors.push({ pointer: `/attachments/${index}/data`, code: picture, message: messages[picture] });
    else pictures.push({ ...picture, filename: pngName(filename) });
  }
  if (errors.length > 0) throw new HttpProblem('INVALID_BODY', { errors });
  return pictures;
}

async function readPicture(bytes: Uint8Array | null): Promise<CleanPng | Fault> {
  if (bytes === null) return 'format';
  return bytes.length > feedbackLimits.pictureBytes ? 'too_big' : cleanPng(bytes, limits);
}

/** The name of a picture ends in its type. */
function pngName(filename: string): string {
  return cleanFilename(`${cleanFilename(filename).replace(/\.png$/i, '')}.png`);
}
