import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { newId } from '../keys/ids.ts';
import { createRequestLogger, type Logger } from '../log/logger.ts';
import type { FrontedRequest } from './paths.ts';

/** An answer that is written before the framework sees the request. */
export type EarlyAnswer = {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Writes the answer a tenth of a second later: a client that waits for its refusal sends less. */
  delayed?: boolean;
};

export type EarlyIntake = {
  /** Whether the body of this request is worth a look. */
  wants(request: IncomingMessage): boolean;
  /** The answer to a request whose whole body is here, or null: the framework answers it. */
  answer(request: IncomingMessage, body: Buffer): EarlyAnswer | Promise<EarlyAnswer> | null;
  /** Called with the status of each answer; left out while nothing is measured. */
  count?: ((status: number) => void) | undefined;
};

/** How long a body that is examined before the framework may take to arrive, milliseconds. */
const bodyMs = 1_000;

/**
 * Answers requests before the framework begins its work for them, which costs more than everything that Node
 * does for them. Only requests whose body comes with their head are looked at: all others, and those for which
 * `answer` gives null, reach the framework unchanged. Where too many answers are delayed, connections are closed.
 */
export function createEarlyAnswers(
  { wants, answer, count }: EarlyIntake,
  { stopping, logger, framework }: { stopping(): boolean; logger: Logger; framework: RequestListener },
) {
  const { delay } = createDelayedAnswers();
  const requests = createRequestLogger(logger);

  /** True also where the framework answers later, once the body was looked at. */
  function answerEarly(request: IncomingMessage, response: ServerResponse): boolean {
    if (!wants(request)) return false;
    const announced = Number(request.headers['content-length']);
    const goOn = (): void => {
      // A stop may have begun since.
      if (stopping()) response.setHeader('connection', 'close');
      framework(request, response);
    };
    // A client that sends a head and no body is left to the framework, which limits its time.
    const waiting = setTimeout(() => {
      request.off('readable', look);
      goOn();
    }, bodyMs);
    waiting.unref();
    request.once('readable', look);
    return true;

    function look(): void {
      clearTimeout(waiting);
      const part = request.read() as Buffer | null;
      const given = part !== null && part.length === announced ? answer(request, part) : null;
      if (given === null) {
        if (part !== null) request.unshift(part);
        goOn();
        return;
      }
      request.resume();
      if (given instanceof Promise) {
        given.then(
          (each) => write(request, response, each),
          (error: unknown) => fail(request, response, error),
        );
      } else if (given.delayed !== true) write(request, response, given);
      else if (!delay(() => write(request, response, given))) request.destroy();
    }
  }

  function write(request: FrontedRequest, response: ServerResponse, given: EarlyAnswer): void {
    const { status, headers, body } = given;
    // A stop that began since then closes the connection, as with every other answer.
    const closing = stopping() ? { connection: 'close' } : {};
    response.writeHead(status, { ...headers, ...closing, 'content-length': Buffer.byteLength(body) });
    response.end(body);
    count?.(status);
    const level = status < 400 || status === 429 ? 'debug' : 'info';
    if (!requests.isLevelEnabled(level)) return;
    const { method, url, originalUrl, socket } = request;
    const req = { method, url, originalUrl, ip: socket.remoteAddress };
    requests[level]({ requestId: newId(), req, res: { statusCode: status } }, 'request');
  }

  function fail(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    logger.error({ requestId: newId(), err: error }, 'a request failed');
    write(request, response, { status: 500, headers: { 'content-type': 'application/json' }, body: '{}' });
  }

  return answerEarly;
}

/**
 * The address of a request's client, as the framework computes it, before the framework has seen the request.
 * Null where proxies are trusted by their own addresses, which is more work than is wanted then.
 *
 * @param trustProxy how many proxies are trusted, or none
 */
export function clientAddress(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  trustProxy: false | number | string[],
): string | null {
  const own = socket.remoteAddress ?? '';
  if (trustProxy === false) return own;
  if (typeof trustProxy !== 'number') return null;
  const forwarded = headers['x-forwarded-for'];
  const named = typeof forwarded === 'string' ? forwarded.split(',').map((each) => each.trim()) : [];
  const addresses = [own, ...named.toReversed().filter((each) => each !== '')];
  return addresses[Math.min(trustProxy, addresses.length - 1)] ?? own;
}

type DelayedAnswers = {
  /** Writes an answer a little later; false if too many are waiting already. */
  delay(write: () => void): boolean;
};

/** Milliseconds that an answer is delayed. */
const delayMs = 100;
/** At most so many are written every `everyMs`, so that a burst does not block other work. */
const mostAtOnce = 25;
const everyMs = 5;
const mostWaiting = 2_000;

/**
 * Delays answers to clients that send too much. A client waits for an answer before it sends again on the
 * same connection, so the delay limits how much processor time a flood can take.
 */
export function createDelayedAnswers(now: () => number = () => performance.now()): DelayedAnswers {
  const waiting: { due: number; write: () => void }[] = [];
  let next = 0;
  let timer: NodeJS.Timeout | undefined;

  function writeDue(): void {
    const at = now();
    const last = Math.min(waiting.length, next + mostAtOnce);
    for (; next < last; next += 1) {
      const { due, write } = waiting[next] as (typeof waiting)[number];
      if (due > at) break;
      write();
    }
    // Written entries are removed in batches, since removing from the front copies the array.
    if (next === waiting.length || next >= mostWaiting) {
      waiting.splice(0, next);
      next = 0;
    }
    timer = waiting.length > 0 ? setTimeout(writeDue, everyMs) : undefined;
  }

  return {
    delay(write) {
      if (waiting.length - next >= mostWaiting) return false;
      waiting.push({ due: now() + delayMs, write });
      timer ??= setTimeout(writeDue, delayMs);
      return true;
    },
  };
}
