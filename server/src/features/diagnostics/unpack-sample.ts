import { promisify } from 'node:util';
import { unzip } from 'node:zlib';

const unzipped = promisify(unzip);

/** What came with an event, from how it is stored. */
export async function unpackSample(payload: Uint8Array): Promise<unknown> {
  return JSON.parse((await unzipped(payload)).toString()) as unknown;
}
