import { uploadFiles, type StoredFile } from '#features/files/contract/files.ts';
import { problem, type Problem } from '#contract/problem.ts';
import type { TestApp } from './app.ts';

export type FileToSend = {
  filename: string;
  bytes: Uint8Array<ArrayBuffer> | string;
  /** What the sender claims. */
  contentType?: string;
};

/** Sends files as a browser does; answers the response. */
export async function sendFiles(
  { url }: Pick<TestApp, 'url'>,
  { accessToken }: { accessToken: string },
  files: readonly FileToSend[],
): Promise<{ status: number; headers: Headers; files: StoredFile[]; problem: Problem | null }> {
  const form = new FormData();
  for (const { filename, bytes, contentType = '' } of files)
    form.append('files', new Blob([bytes], { type: contentType }), filename);
  const response = await fetch(url + uploadFiles.path, {
    method: uploadFiles.method,
    headers: { authorization: `Bearer ${accessToken}` },
    body: form,
  });
  const answer: unknown = await response.json();
  return {
    status: response.status,
    headers: response.headers,
    files: response.ok ? (answer as StoredFile[]) : [],
    problem: response.ok ? null : problem.parse(answer),
  };
}

/** Sends files that are accepted. */
export async function upload(
  app: Pick<TestApp, 'url'>,
  by: { accessToken: string },
  files: readonly FileToSend[],
): Promise<StoredFile[]> {
  const sent = await sendFiles(app, by, files);
  if (sent.problem !== null) throw new Error(`Not taken: ${JSON.stringify(sent.problem)}`);
  return sent.files;
}
