import { feedbackLimits, type saveFeedback } from '@portico/contract/feedback';
import type { FieldProblem } from '@portico/contract/problem';
import type { BodyOf } from '@portico/contract/route';
import { HttpProblem } from '../../platform/http-problem.ts';
import { cleanPng, type CleanPng, type PngFault } from './png.ts';

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

/**
 * The pictures of a report as they will be kept: what their bytes say counts, whatever their sender claims.
 *
 * @param cleanFilename the rule for names of uploads
 * @throws HttpProblem INVALID_BODY that points at each that is none
 */
export function readPictures(
  sent: BodyOf<typeof saveFeedback>['attachments'],
  cleanFilename: (name: string) => string,
): NamedPicture[] {
  const errors: FieldProblem[] = [];
  const pictures: NamedPicture[] = [];
  for (const [index, { data, filename }] of sent.entries()) {
    const picture = readPicture(data);
    if (typeof picture === 'string')
      errors.push({ pointer: `/attachments/${index}/data`, code: picture, message: messages[picture] });
    else pictures.push({ ...picture, filename: pngName(filename, cleanFilename) });
  }
  if (errors.length > 0) throw new HttpProblem('INVALID_BODY', { errors });
  return pictures;
}

function readPicture(data: string): CleanPng | Fault {
  if (data.length > Math.ceil(feedbackLimits.pictureBytes / 3) * 4) return 'too_big';
  const bytes = fromBase64(data);
  return bytes === null ? 'format' : cleanPng(bytes, limits);
}

/**
 * The bytes of padded base64 (RFC 4648, 4), or null. Node's decoder skips what it does not know: then there are fewer
 * bytes than there should be. What else it takes is the other alphabet, and bits in the last sign that mean nothing.
 */
export function fromBase64(data: string): Buffer | null {
  const bytes = Buffer.from(data, 'base64');
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  const isWhole = data.length % 4 === 0 && bytes.length === (data.length / 4) * 3 - padding;
  const isOtherAlphabet = data.includes('-') || data.includes('_');
  const lastBytes = bytes.subarray(Math.max(0, bytes.length - 3 + padding));
  return isWhole && !isOtherAlphabet && lastBytes.toString('base64') === data.slice(-4) ? bytes : null;
}

/** What it is, its name says too. */
function pngName(filename: string, cleanFilename: (name: string) => string): string {
  return cleanFilename(`${cleanFilename(filename).replace(/\.png$/i, '')}.png`);
}
