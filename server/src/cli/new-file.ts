import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Failure } from './failure.ts';

/** Writes a new file for its owner only; an unfinished one is removed. Throws Failure. */
export async function writeNewFile(file: string, content: Readable): Promise<void> {
  const target = createWriteStream(file, { flags: 'wx', mode: 0o600 });
  let made = false;
  target.once('open', () => (made = true));
  try {
    await pipeline(content, target);
  } catch (error) {
    if (made) await rm(file, { force: true });
    const { code, message, syscall } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new Failure(`${file} is there already.`);
    if (syscall === 'open' || syscall === 'write') throw new Failure(`${file} cannot be written: ${message}`);
    throw error;
  }
}
