import { connect, type Socket } from 'node:net';

/** Keep-alive connections to one server, each with one request under way at a time: none is pipelined. */
export type Load = {
  /** Sends requests for a time; returns how many were answered in that time, and in how many seconds. */
  run(milliseconds: number): Promise<{ requests: number; seconds: number }>;
  close(): void;
};

/**
 * The same client for every server that is measured. Its raw sockets read into a fixed buffer, and it parses only
 * what it needs of HTTP to find the end of an answer (`Content-Length`), so that one core of client can keep one
 * core of server busy.
 *
 * @param next the bytes of the next request
 */
export async function openLoad(port: number, connections: number, next: () => Buffer): Promise<Load> {
  let running = false;
  let answered = 0;
  let underWay = 0;
  let allBack: (() => void) | undefined;
  let failed: ((error: Error) => void) | undefined;

  function ask(socket: Socket): void {
    underWay += 1;
    socket.write(next());
  }

  function back(socket: Socket): void {
    underWay -= 1;
    if (running) {
      answered += 1;
      ask(socket);
    } else if (underWay === 0) {
      allBack?.();
    }
  }

  function open(): Promise<Socket> {
    return new Promise((done, fail) => {
      const take = answerReader();
      const socket = connect({
        port,
        host: '127.0.0.1',
        noDelay: true,
        onread: {
          buffer: Buffer.allocUnsafe(65_536),
          callback(length, buffer) {
            const wrong = take(buffer as Buffer, length, () => back(socket));
            if (wrong !== null) {
              failed?.(new Error(`Not the answer that was expected:\n${wrong}`));
              socket.destroy();
            }
            return true;
          },
        },
      });
      socket.once('connect', () => done(socket));
      socket.on('error', (error) => {
        fail(error);
        failed?.(error);
      });
      socket.on('close', () => failed?.(new Error('The server closed a connection.')));
    });
  }

  const sockets = await Promise.all(Array.from({ length: connections }, open));

  return {
    run(milliseconds) {
      return new Promise((done, fail) => {
        if (sockets.some((socket) => socket.destroyed)) throw new Error('The server closed a connection.');
        failed = fail;
        answered = 0;
        running = true;
        const start = performance.now();
        for (const socket of sockets) ask(socket);
        setTimeout(() => {
          running = false;
          const result = { requests: answered, seconds: (performance.now() - start) / 1000 };
          // Requests that are still under way count for no round.
          allBack = () => done(result);
        }, milliseconds);
      });
    },
    close() {
      failed = undefined;
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** The bytes of a request. */
export function request(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string,
): Buffer {
  const lines = Object.entries({
    host: 'localhost',
    ...headers,
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`);
}

const ok = Buffer.from('HTTP/1.1 200');
/** Has no body and no length. */
const noContent = Buffer.from('HTTP/1.1 204');
const headEnd = Buffer.from('\r\n\r\n');
const lengthName = /\r\ncontent-length: (\d+)/i;

/**
 * Calls `answered` at the end of each answer. Returns the received text of an answer that is neither a 204 nor a
 * 200 with a `Content-Length`, else null.
 */
function answerReader(): (buffer: Buffer, length: number, answered: () => void) => string | null {
  let held = Buffer.alloc(0);
  let left = 0;
  return (buffer, length, answered) => {
    if (left > 0) {
      left -= length;
    } else {
      const part =
        held.length === 0 ? buffer.subarray(0, length) : Buffer.concat([held, buffer.subarray(0, length)]);
      const end = part.indexOf(headEnd);
      if (end < 0) {
        held = Buffer.from(part);
        return null;
      }
      const isEmpty = begins(part, noContent);
      const size = isEmpty ? '0' : lengthName.exec(part.toString('latin1', 0, end))?.[1];
      if (size === undefined || !(isEmpty || begins(part, ok))) {
        return part.toString('utf8', 0, 1000);
      }
      if (held.length > 0) held = Buffer.alloc(0);
      left = Number(size) - (part.length - end - headEnd.length);
    }
    if (left === 0) answered();
    return null;
  };
}

function begins(part: Buffer, beginning: Buffer): boolean {
  return part.compare(beginning, 0, beginning.length, 0, beginning.length) === 0;
}
