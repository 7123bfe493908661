import { randomBytes } from 'node:crypto';
import { request, type IncomingMessage } from 'node:http';
import { request as requestByTls } from 'node:https';
import { inWords } from '#features/backup/server/copy-content.ts';
import { sourceMapLimits, uploadSourceMap } from '#features/diagnostics/contract/source-maps.ts';
import { feedbackLimits, saveFeedback } from '#features/feedback/contract/feedback.ts';
import { readClientKeys } from '#features/flags/server/client-keys.store.ts';
import { subscribeFeatures } from '#features/flags/contract/flags.ts';
import { healthz, readyz } from '#features/health/contract/health.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/platform/database/database.ts';
import type { Clock } from '#server/platform/time/clock.ts';
import { found, type Found } from './findings.ts';

// Checks that ask the running server through PUBLIC_URL, as a browser reaches it.

export type Opened = { database: Database; clock: Clock };

/** How long an answer may take. */
export const answerMs = 5_000;
/** A proxy that accepts the size of a body waits for the body; a proxy that refuses the size answers at once. */
const refusalMs = 2_000;

export async function server({ publicUrl }: Config): Promise<Found> {
  const answer = await ask(`${publicUrl}${readyz.path}`);
  const body = await textOf(answer);
  const { statusCode: status = 0 } = answer;
  if (status === 200 && body.includes('"ready"')) return found('ok', ['SERVER', { url: publicUrl }]);
  const key = body.includes('"code"') ? 'SERVER_NOT_READY' : 'SERVER_OTHER';
  return found('failed', [key, { url: publicUrl, status }]);
}

export async function headers({ publicUrl }: Config): Promise<Found> {
  const answer = await ask(`${publicUrl}/`);
  answer.destroy();
  if (answer.statusCode === 421) return found('failed', 'HEADERS_HOST');
  const expected = [
    'content-security-policy',
    'x-content-type-options',
    ...(publicUrl.startsWith('https:') ? ['strict-transport-security'] : []),
  ];
  const lost = expected.filter((name) => answer.headers[name] === undefined);
  return lost.length === 0
    ? found('ok', 'HEADERS')
    : found('failed', ['HEADERS_LOST', { names: lost.join(', ') }]);
}

/** The bodies that have to pass, the most needed first. */
const bodies = [
  ['failed', saveFeedback.path, feedbackLimits.bodyBytes, 'BODIES_REPORT'],
  ['warning', uploadSourceMap.path, sourceMapLimits.fileBytes, 'BODIES_SOURCE_MAP'],
] as const;

export async function largeBodies({ publicUrl }: Config): Promise<Found> {
  for (const [outcome, path, bytes, key] of bodies) {
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
      return found(outcome, [key, { size: inWords(bytes), status: answer.statusCode ?? 0 }]);
  }
  return found('ok', ['BODIES', { size: inWords(sourceMapLimits.fileBytes) }]);
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
  return begun ? found('ok', 'STREAMS') : found('failed', 'STREAMS_HELD');
}

/** Asks the only address of Portico's own that upgrades; Portico ends the connection at once. */
export async function webSockets({ publicUrl }: Config): Promise<Found> {
  const isJoined = await upgrades(`${publicUrl}${healthz.path}`);
  return isJoined ? found('ok', 'WEBSOCKETS') : found('failed', 'WEBSOCKETS_NONE');
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
