import type { StoredContent } from '#server/platform/files/contents.ts';
import type { FileStore } from '#server/platform/files/file-store.ts';

/** The bytes of a file in one piece, written chunk by chunk, so that a large one does not block the loop. */
export async function readWhole(
  store: Pick<FileStore, 'read'>,
  content: StoredContent,
): Promise<Uint8Array<ArrayBuffer>> {
  const whole = new Uint8Array(content.size);
  let length = 0;
  for await (const bytes of await store.read(content)) {
    whole.set(bytes as Uint8Array, length);
    length += (bytes as Uint8Array).byteLength;
  }
  return whole;
}
