import { randomBytes } from 'node:crypto';
import { request, type IncomingMessage } from 'node:http';
import { request as requestByTls } from 'node:https';
import { inWords } from '#features/backup/server/copy-content.ts';
import { sourceMapLimits, uploadSourceMap } from '#features/diagnostics/contract/source-maps.ts';
import { feedbackLimits, saveFeedback } from '#features/feedback/contract/feedback.ts';
import { readClientKeys } from '#features/flags/server/client-keys.store.ts';
import { subscribeFeatures } from '#features/flags/contract/flags.ts';
import { healthz, readyz } from '#features/health/contract/health.ts';
import type { StepOutcome } from '#features/outside-provider/server/check-provider.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/platform/database/database.ts';
import type { Clock } from '#server/platform/time/clock.ts';

// Checks that ask the running server through PUBLIC_URL, as a browser reaches it.

/** What was found, and what to do about it, in words. */
export type Found = [StepOutcome, string];
export type Opened = { database: Database; clock: Clock };

/** How long an answer may take. */
export const answerMs = 5_000;
/** A proxy that accepts the size of a body waits for the body; a proxy that refuses the size answers at once. */
const refusalMs = 2_000;

export async function server({ publicUrl }: Config): Promise<Found> {
  const answer = await ask(`${publicUrl}${readyz.path}`);
  const body = await textOf(answer);
  if (answer.statusCode === 200 && body.includes('"ready"'))
    return ['ok', `${publicUrl} answers, and is ready.`];
  return body.includes('"code"')
    ? ['failed', `The server at ${publicUrl} is not ready (${answer.statusCode}): its log says why.`]
    : [
        'failed',
        `Something else answers at ${publicUrl} (${answer.statusCode}): let the proxy forward this address to Portico.`,
      ];
}

export async function headers({ publicUrl }: Config): Promise<Found> {
  const answer = await ask(`${publicUrl}/`);
  answer.destroy();
  if (answer.statusCode === 421)
    return [
      'failed',
      'The proxy sends another Host than PUBLIC_URL has: let it keep the Host of the browser (docs/proxy.md).',
    ];
  const expected = [
    'content-security-policy',
    'x-content-type-options',
    ...(publicUrl.startsWith('https:') ? ['strict-transport-security'] : []),
  ];
  const lost = expected.filter((name) => answer.headers[name] === undefined);
  return lost.length === 0
    ? ['ok', 'The proxy keeps the Host and the headers of answers.']
    : [
        'failed',
        `The proxy removes ${lost.join(', ')} from answers, which protect people: let them through.`,
      ];
}

/** The bodies that have to pass, the most needed first. */
const bodies = [
  ['failed', saveFeedback.path, feedbackLimits.bodyBytes, 'a report with a screenshot'],
  ['warning', uploadSourceMap.path, sourceMapLimits.fileBytes, 'the largest source map'],
] as const;

export async function largeBodies({ publicUrl }: Config): Promise<Found> {
  for (const [outcome, path, bytes, what] of bodies) {
    const answer = await ask(`${publicUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': bytes },
      withoutAnswerAfter: refusalMs,
    });
    // A proxy that takes the size waits for the body.
    if (answer === null) continue;
    const ofPortico = (await textOf(answer)).includes('"code"');
    answer.destroy();
    if (answer.statusCode === 413 || !ofPortico)
      return [
        outcome,
        `The proxy refuses a body of ${inWords(bytes)} (${answer.statusCode}), as of ${what}: raise its limit (docs/proxy.md).`,
      ];
  }
  return ['ok', `Bodies of up to ${inWords(sourceMapLimits.fileBytes)} pass the proxy.`];
}

export async function streams({ publicUrl }: Config, { database: opened }: Opened): Promise<Found | null> {
  const keys = await readClientKeys(opened.read);
  const key = keys.find(({ kind, revokedAt }) => kind === 'plain' && revokedAt === null)?.key;
  if (key === undefined) return null;
  const answer = await ask(`${publicUrl}${subscribeFeatures.path.replace(':clientKey', key)}`, {
    headers: { accept: 'text/event-stream' },
    withoutAnswerAfter: answerMs,
  });
  const begun = answer === null ? false : await Promise.race([firstBytes(answer), after(answerMs, false)]);
  answer?.destroy();
  return begun
    ? ['ok', 'A stream of changes begins at once.']
    : [
        'failed',
        'The proxy holds streams back: changes arrive late. Switch its buffering off (docs/proxy.md).',
      ];
}

/** Asks the only address of Portico's own that upgrades; Portico ends the connection at once. */
export async function webSockets({ publicUrl }: Config): Promise<Found> {
  const isJoined = await upgrades(`${publicUrl}${healthz.path}`);
  return isJoined
    ? ['ok', 'A WebSocket reaches Portico, as applications behind the gateway need it.']
    : [
        'failed',
        'The proxy does not pass WebSockets on, which applications behind the gateway may need (docs/proxy.md).',
      ];
}

function upgrades(address: string): Promise<boolean> {
  const open = address.startsWith('https:') ? requestByTls : request;
  return new Promise((done, fail) => {
    const asked = open(address, {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': randomBytes(16).toString('base64'),
      },
      agent: false,
      timeout: answerMs,
    });
    const answered = (joined: boolean) => () => {
      done(joined);
      asked.destroy();
    };
    asked.once('upgrade', answered(true));
    asked.once('response', answered(false));
    asked.once('timeout', answered(false));
    asked.once('error', fail);
    asked.end();
  });
}

type Asked = {
  method?: string;
  headers?: Record<string, string | number>;
  /** Milliseconds after which a missing answer is null, not an error. */
  withoutAnswerAfter?: number;
};

async function ask(address: string, asked?: Omit<Asked, 'withoutAnswerAfter'>): Promise<IncomingMessage>;
async function ask(address: string, asked: Asked): Promise<IncomingMessage | null>;
function ask(address: string, { method = 'GET', headers: sent = {}, withoutAnswerAfter }: Asked = {}) {
  const open = address.startsWith('https:') ? requestByTls : request;
  return new Promise<IncomingMessage | null>((done, fail) => {
    const asked = open(address, {
      method,
      headers: sent,
      agent: false,
      timeout: withoutAnswerAfter ?? answerMs,
    });
    asked.once('response', done);
    asked.once('error', (error) => fail(new Error(`${address} does not answer: ${reasonOf(error)}`)));
    asked.once('timeout', () => {
      if (withoutAnswerAfter === undefined)
        fail(new Error(`${address} does not answer within ${answerMs} ms`));
      else done(null);
      asked.destroy();
    });
    // Only the size of a body is sent, since proxies decide by the size.
    if (method === 'GET') asked.end();
    else asked.flushHeaders();
  });
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of answer.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > 10_000) break;
  }
  return text;
}

const firstBytes = (answer: IncomingMessage) =>
  new Promise<true>((done) => answer.once('data', () => done(true)));

const after = <T>(ms: number, value: T) =>
  new Promise<T>((done) => void setTimeout(() => done(value), ms).unref());

/** The message of an error, or its code. */
export function reasonOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return (message ?? '') === '' ? String(code ?? error) : String(message);
}
