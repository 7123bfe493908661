import { PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** A file in a ZIP; its bytes are made when it is their turn. */
export type ZipEntry = { name: string; bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array> };

/**
 * A ZIP made as it is read: each file is asked for when the one before it has been read. Bytes are stored as
 * they are, since pictures are compressed already. It fails where a file fails, and stops asking where the
 * reader goes away.
 *
 * @param at the time that every file gets
 */
export function zipStream(entries: AsyncIterable<ZipEntry>, at: Date): Readable {
  const zip = new ZipFile();
  const output = new PassThrough();
  zip.outputStream.pipe(output);
  let file: Readable | undefined;

  async function addAll(): Promise<void> {
    for await (const { name, bytes } of entries) {
      if (output.destroyed) return;
      file = Readable.from(bytes, { objectMode: false });
      zip.addReadStream(file, name, { mtime: at, mode: 0o100600, compress: false });
      await finished(file);
    }
    zip.end();
  }
  function fail(error: unknown): void {
    output.destroy(error instanceof Error ? error : new Error('The ZIP could not be made.'));
  }
  output.once('close', () => file?.destroy());
  zip.on('error', fail);
  addAll().catch(fail);
  return output;
}
