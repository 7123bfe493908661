import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { afterThisTest } from './fresh-database.ts';

export type Received = {
  id: string;
  path: string;
  method: string;
  headers: IncomingHttpHeaders;
  body: string;
};

export type Receiver = {
  url: string;
  /** Everything that has arrived, in order. */
  received: Received[];
  /** How often something arrived while something else at the same path had no answer yet. */
  readonly overlaps: number;
  /** How many messages wait for their answer now, and their sender with them. */
  readonly waiting: number;
  /** Sets the answer to later messages; null: a message waits until `release`. */
  answer(
    how: number | ((message: Received) => { status: number; headers?: Record<string, string> } | null),
  ): void;
  /** Answers 200 to all that wait. */
  release(): void;
  /** Waits until so many have arrived; answers the last of them. */
  arrived(count: number): Promise<Received>;
  /** Stops listening; `open` listens again on the same port. */
  close(): Promise<void>;
  open(): Promise<void>;
};

/** A program that webhooks are sent to, on a port of its own; gone after the test. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const waiting = new Set<ServerResponse>();
  const unanswered = new Map<string, number>();
  let overlaps = 0;
  let how: Parameters<Receiver['answer']>[0] = 200;

  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const { url: path = '', method = '', headers } = request;
    const before = unanswered.get(path) ?? 0;
    if (before > 0) overlaps += 1;
    unanswered.set(path, before + 1);
    response.once('close', () => unanswered.set(path, (unanswered.get(path) ?? 1) - 1));
    void text(request).then((body) => {
      const message = { id: String(headers['webhook-id']), path, method, headers, body };
      received.push(message);
      const answer = typeof how === 'number' ? { status: how } : how(message);
      if (answer === null) waiting.add(response);
      else response.writeHead(answer.status, 'headers' in answer ? answer.headers : {}).end('noted');
    });
  });
  const listen = (port: number) =>
    new Promise<void>((done, fail) => {
      server.once('error', fail);
      server.listen(port, '127.0.0.1', done);
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    const closed = new Promise((done) => server.close(done));
    server.closeAllConnections();
    await closed;
  };
  afterThisTest(close);

  return {
    url: `http://127.0.0.1:${port}`,
    received,
    get overlaps() {
      return overlaps;
    },
    get waiting() {
      return [...unanswered.values()].reduce((sum, count) => sum + count, 0);
    },
    answer: (next) => (how = next),
    release() {
      for (const response of waiting) response.writeHead(200).end();
      waiting.clear();
    },
    async arrived(count) {
      await expect.poll(() => received.length).toBeGreaterThanOrEqual(count);
      const last = received[count - 1];
      if (last === undefined) throw new Error('It is gone.');
      return last;
    },
    close,
    open: () => listen(port),
  };
}
