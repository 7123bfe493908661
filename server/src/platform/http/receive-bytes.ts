import type { Readable } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

const mostBytes = 32 * 1024 * 1024;
const mostMs = 10_000;

/**
 * For a request that is answered before all of it has come: reads on for a while and throws away what comes,
 * then closes the connection. Closing at once would reset it while the client still writes, and most clients
 * would never see the answer; reading on for ever would be doing what was just refused.
 */
export function discardUnread(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  let left = mostBytes;
  const cutOff = setTimeout(() => request.destroy(), mostMs);
  cutOff.unref();
  request.once('close', () => clearTimeout(cutOff));
  request.on('data', (bytes: Buffer) => {
    left -= bytes.byteLength;
    if (left < 0) request.destroy();
  });
  // It may have been paused, such as by `unpipe`.
  request.resume();
}

/**
 * For a connection that Node has left, such as after the offer to upgrade, and that was answered: takes what the client
 * still sends, or its end would never be seen, and closes the connection after a while.
 */
export function discardRest(socket: Socket): void {
  const cutOff = setTimeout(() => socket.destroy(), mostMs);
  cutOff.unref();
  socket.once('close', () => clearTimeout(cutOff));
  socket.resume();
}

/** Why a body did not come: it is larger than it may be, or its connection broke. */
export class BodyNotReceived extends Error {
  readonly reason: 'too large' | 'broken';
  constructor(reason: BodyNotReceived['reason']) {
    super(`The body is ${reason}.`);
    this.name = 'BodyNotReceived';
    this.reason = reason;
  }
}

/** A body of more than so many bytes waits for its place before more of it is read. */
export type Step = { above: number; admit(): Promise<void> };

export type ReceiveOptions = {
  /** Bytes. */
  most: number;
  /** From the smallest to the largest. */
  steps: readonly Step[];
  /** The header `Content-Length`. */
  announced: string | undefined;
};

/**
 * Receives a body; empty for a request without one. Throws BodyNotReceived as soon as the body is larger than
 * allowed, and what a step throws.
 */
export async function receiveBytes(body: Readable | undefined, options: ReceiveOptions): Promise<Buffer> {
  if (body === undefined) return Buffer.alloc(0);
  const announced = Number(options.announced ?? 0);
  if (announced > options.most) throw new BodyNotReceived('too large');
  let passed = 0;
  for (const { above, admit } of options.steps) {
    if (announced <= above) break;
    await admit();
    passed += 1;
  }
  const steps = options.steps.slice(passed);
  const parts: Buffer[] = [];
  let length = 0;
  // Its connection may have broken while it waited; then nothing of it comes any more.
  if (body.destroyed) throw new BodyNotReceived('broken');
  return new Promise((done, fail) => {
    function take(part: Buffer): void {
      length += part.length;
      parts.push(part);
      const [step] = steps;
      if (length > options.most) stop(new BodyNotReceived('too large'));
      else if (step !== undefined && length > step.above) {
        steps.shift();
        body?.pause();
        step.admit().then(() => body?.resume(), stop);
      }
    }
    function over(): void {
      body?.off('data', take).off('end', ended).off('error', broken).off('close', broken);
    }
    function stop(error: unknown): void {
      over();
      fail(error);
    }
    function ended(): void {
      over();
      done(parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts, length));
    }
    const broken = (): void => stop(new BodyNotReceived('broken'));
    body.on('data', take).on('end', ended).on('error', broken).on('close', broken);
  });
}
