import type { Page } from '@playwright/test';
import { sessionHeader } from '#features/session/contract/session.ts';
import { must } from './table.ts';

/** What arrives on an event stream, with the time of each piece. */
export async function listen(url: string, bearer?: string) {
  const closing = new AbortController();
  const headers = { accept: 'text/event-stream', ...(bearer && { authorization: `Bearer ${bearer}` }) };
  const { status, body } = await fetch(url, { headers, signal: closing.signal });
  must(status === 200 && body !== null, `${url} answered ${status}.`);
  const pieces: { at: number; text: string }[] = [];
  const stream = { pieces, ended: false, close: () => closing.abort() };
  const write = (bytes: Uint8Array) =>
    void pieces.push({ at: Date.now(), text: Buffer.from(bytes).toString() });
  const end = () => (stream.ended = true);
  void body.pipeTo(new WritableStream({ write })).then(end, end);
  return stream;
}

/** An access token of the person who is signed in on a page, or the code of the refusal. */
export async function tokenOf(page: Page): Promise<{ accessToken?: string; code?: string }> {
  return page.evaluate(async (header) => {
    const answer = await fetch('/auth/token', { method: 'POST', headers: { [header]: '1' } });
    return (await answer.json()) as { accessToken?: string; code?: string };
  }, sessionHeader);
}

export async function bearerOf(page: Page): Promise<string> {
  const { accessToken, code } = await tokenOf(page);
  must(accessToken !== undefined, `There is no access token (${code}).`);
  return accessToken;
}
