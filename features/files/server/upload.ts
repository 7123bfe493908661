import { feedbackLimits } from '#features/feedback/contract/feedback.ts';
import { fileLimits } from '#features/files/contract/files.ts';
import type { FileStore } from '#server/platform/files/file-store.ts';
import type { StoredContent } from '#server/platform/files/contents.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import { invalid } from '#server/platform/http/refusals.ts';
import type { FormFile } from '#server/platform/http/read-form.ts';
import { cleanFilename } from './filename.ts';
import { watchKind, type Kind } from './kind.ts';

/** A file whose bytes are stored and which has no row yet. */
export type ReceivedFile = StoredContent & Kind & { filename: string };

/**
 * Takes the files of one upload, one after the other. Throws TOO_LARGE where one or all of them are, and
 * INVALID_BODY for an empty one and for a picture that no browser should have to unpack.
 */
export function createReceiver(store: FileStore): (file: FormFile) => Promise<ReceivedFile> {
  let left: number = fileLimits.uploadBytes;

  return async function receive({ index, filename, bytes }) {
    const watched = watchKind(bytes);
    const most = Math.min(fileLimits.fileBytes, left);
    const content = await store.write(watched.bytes, most).catch((error: unknown) => {
      throw error instanceof HttpProblem && error.code === 'TOO_LARGE' ? tooLarge(index, most) : error;
    });
    left -= content.size;
    if (content.size === 0) throw invalid(at(index), 'too_small', 'is empty');
    const kind = await watched.kind();
    refuseHuge(kind, index);
    return { ...content, ...kind, filename: cleanFilename(filename) };
  };
}

function refuseHuge({ width, height }: Kind, index: number): void {
  if (width === null || height === null) return;
  const { pictureSide, picturePixels } = feedbackLimits;
  if (width <= pictureSide && height <= pictureSide && width * height <= picturePixels) return;
  const most = `must have at most ${pictureSide} pixels on a side and ${picturePixels} altogether`;
  throw invalid(at(index), 'too_big', most);
}

function tooLarge(index: number, most: number): HttpProblem {
  const all = most < fileLimits.fileBytes;
  const detail = all
    ? `The files of an upload may have ${fileLimits.uploadBytes} bytes together.`
    : `A file may have ${fileLimits.fileBytes} bytes.`;
  return new HttpProblem('TOO_LARGE', {
    detail,
    errors: [{ pointer: at(index), code: 'too_big', message: 'is too large' }],
  });
}

function at(index: number): string {
  return `/files/${index}`;
}
