import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { readZip } from '../../testing/zip.ts';
import { type ZipEntry, zipStream } from './zip-stream.ts';

const at = new Date('2026-03-01T12:00:00Z');

/** Entries that write down what is asked of them. */
async function* watched(entries: readonly ZipEntry[], seen: string[]): AsyncGenerator<ZipEntry> {
  try {
    for (const entry of entries) {
      seen.push(`asked for ${entry.name}`);
      yield entry;
    }
  } finally {
    seen.push('done');
  }
}

describe('a ZIP made as it is read', () => {
  it('BUG-10: holds more files than a stream has listeners, names of any language and an empty file', async () => {
    const files = Array.from({ length: 40 }, (_none, n) => ({
      name: `übung/${n}.txt`,
      bytes: [Buffer.from(`page ${n}`)],
    }));
    const zip = readZip(await buffer(zipStream(watched([...files, { name: 'empty', bytes: [] }], []), at)));
    expect(zip.size).toBe(41);
    expect(zip.get('übung/39.txt')?.toString()).toBe('page 39');
    expect(zip.get('empty')).toHaveLength(0);
  });

  it('BUG-10: fails where a file fails, and asks for no further one', async () => {
    const seen: string[] = [];
    async function* broken() {
      yield Buffer.from('begun');
      throw new Error('The disk is gone.');
    }
    const entries = watched(
      [
        { name: 'a', bytes: broken() },
        { name: 'b', bytes: [] },
      ],
      seen,
    );
    await expect(buffer(zipStream(entries, at))).rejects.toThrow('The disk is gone.');
    await expect.poll(() => seen).toEqual(['asked for a', 'done']);
  });

  it('BUG-10: fails where the list of files fails', async () => {
    async function* entries(): AsyncGenerator<ZipEntry> {
      yield { name: 'a', bytes: [] };
      throw new Error('The database is gone.');
    }
    await expect(buffer(zipStream(entries(), at))).rejects.toThrow('The database is gone.');
  });

  it('BUG-10: stops asking where the reader goes away', async () => {
    const seen: string[] = [];
    async function* endless() {
      for (;;) yield Buffer.alloc(65_536);
    }
    const zip = zipStream(watched([{ name: 'a', bytes: endless() }], seen), at);
    for await (const bytes of zip) {
      if (bytes.length > 0) break;
    }
    await expect.poll(() => seen).toEqual(['asked for a', 'done']);
  });
});
