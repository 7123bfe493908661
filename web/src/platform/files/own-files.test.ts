import { describe, expect, it } from 'vitest';
import { createFakeServer, json, later, problemAnswer } from '../../testing/fake-server.ts';
import type { ProblemError } from '../calls/problem-error.ts';
import { uploadFiles } from './own-files.ts';
import { createErrorRecord } from '../record-error.ts';

const stored = { id: 'f1', filename: 'a.png', contentType: 'image/png', size: 3, url: '/v1/files/f1' };
const file = new File(['abc'], 'a.png', { type: 'image/png' });

function setUp() {
  const server = createFakeServer(() => json([stored], { status: 201 }));
  const errors = createErrorRecord();
  const api = server.api({ sendCounted: server.sendCounted });
  const recorded = () => errors.recorded.get().map(({ what }) => what);
  return { server, api, errors, recorded };
}

describe('FILE-1: uploading files', () => {
  it('FILE-1: yields what was stored, and reports the progress', async () => {
    const { api, errors, recorded } = setUp();
    const reported: number[] = [];
    const onProgress = (sent: number, total: number) => void reported.push(sent / total);
    expect(await uploadFiles(api, errors, [file], { onProgress })).toEqual([stored]);
    expect(reported.at(-1)).toBe(1);
    expect(recorded()).toEqual([]);
  });

  it.each([
    ['the server refuses', () => problemAnswer(413, 'TOO_LARGE')],
    ['the server is in trouble', () => problemAnswer(500, 'INTERNAL')],
    ['the network fails', () => new TypeError('Failed to send')],
    ['the answer is not one', () => json({ files: [] })],
  ])('§8 File upload failure: yields an empty list and is recorded when %s', async (_case, answer) => {
    const { server, api, errors, recorded } = setUp();
    server.answerWith(answer);
    expect(await uploadFiles(api, errors, [file])).toEqual([]);
    expect(recorded()).toEqual(['files.upload']);
  });

  it('FILE-1: passes the failure on to the caller', async () => {
    const { server, api, errors } = setUp();
    server.answerWith(() => new Response('<h1>413</h1>', { status: 413 }));
    const codes: unknown[] = [];
    const onFailure = (error: unknown) => void codes.push((error as ProblemError).code);
    expect(await uploadFiles(api, errors, [file], { onFailure })).toEqual([]);
    expect(codes).toEqual(['TOO_LARGE']);
  });

  it('FILE-1: a cancelled one yields an empty list and is no failure', async () => {
    const { server, api, errors, recorded } = setUp();
    server.answerWith(() => later().promise);
    const control = new AbortController();
    const uploading = uploadFiles(api, errors, [file], { signal: control.signal });
    control.abort();
    expect(await uploading).toEqual([]);
    expect(recorded()).toEqual([]);
  });
});
