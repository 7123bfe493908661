import { request, type Agent } from 'node:https';
import type { IncomingHttpHeaders } from 'node:http';
import type { Page } from '@playwright/test';
import { sessionHeader } from '#features/session/contract/session.ts';

export type Answer = { status: number; headers: IncomingHttpHeaders; body: string };

/** One request over TLS; `main.ts` has this process trust the certificate. */
export function ask(
  url: string,
  {
    method = 'GET',
    headers = {},
    body,
    agent,
  }: { method?: string; headers?: Record<string, string>; body?: string; agent?: Agent } = {},
): Promise<Answer> {
  return new Promise((done, failed) => {
    const options = { method, headers, ...(agent === undefined ? {} : { agent }) };
    const asking = request(url, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () =>
        done({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      );
      response.on('error', failed);
    });
    asking.on('error', failed).end(body);
  });
}

/** A request of the person who is signed in on a page, with a body of JSON. */
export async function send(page: Page, method: string, url: string, body: string): Promise<Answer> {
  const headers = { 'content-type': 'application/json', ...(await bearerOf(page)) };
  return ask(url, { method, headers, body });
}

/** What arrives on an event stream, with the time of each piece. */
export type Stream = { pieces: { at: number; text: string }[]; ended: () => boolean; close: () => void };

export function listen(url: string, headers: Record<string, string>): Promise<Stream> {
  return new Promise((done, failed) => {
    const asking = request(url, { headers: { accept: 'text/event-stream', ...headers } }, (response) => {
      if (response.statusCode !== 200) {
        response.resume();
        failed(new Error(`${url} answered ${response.statusCode}.`));
        return;
      }
      let over = false;
      const pieces: Stream['pieces'] = [];
      response.setEncoding('utf8').on('data', (text: string) => pieces.push({ at: Date.now(), text }));
      response.on('close', () => (over = true));
      done({ pieces, ended: () => over, close: () => asking.destroy() });
    });
    asking.on('error', failed).end();
  });
}

/** An access token of the person who is signed in on a page, or the code of the refusal. */
export async function tokenOf(page: Page): Promise<{ accessToken?: string; code?: string }> {
  return page.evaluate(async (header) => {
    const answer = await fetch('/auth/token', { method: 'POST', headers: { [header]: '1' } });
    return (await answer.json()) as { accessToken?: string; code?: string };
  }, sessionHeader);
}

export async function bearerOf(page: Page): Promise<{ authorization: string }> {
  const { accessToken = '', code } = await tokenOf(page);
  if (accessToken === '') throw new Error(`There is no access token (${code}).`);
  return { authorization: `Bearer ${accessToken}` };
}
