import { connect, type Socket } from 'node:net';

/** Keep-alive connections to one server, each with one request under way at a time: none is pipelined. */
export type Load = {
  /** Sends requests for so long; answers how many were answered in that time, and in how many seconds. */
  run(milliseconds: number): Promise<{ requests: number; seconds: number }>;
  close(): void;
};

const headEnd = Buffer.from('\r\n\r\n');

/**
 * The same client for every server that is measured: raw sockets, and of HTTP only what finds the end of an answer
 * (`Content-Length`), so that one core of client can keep one core of server busy.
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

  const sockets = await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = await opened(port);
      onAnswers(
        socket,
        () => back(socket),
        (error) => failed?.(error),
      );
      return socket;
    }),
  );

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
          // What is still under way belongs to nobody's round.
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

/** A connection without Nagle's delay. */
export function opened(port: number): Promise<Socket> {
  return new Promise((done, fail) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.once('error', fail);
    socket.once('connect', () => {
      socket.off('error', fail);
      done(socket);
    });
  });
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

/** Calls `answered` at the end of each answer; anything but a 200 with a `Content-Length` fails. */
function onAnswers(socket: Socket, answered: () => void, failed: (error: Error) => void): void {
  let head: Buffer = Buffer.alloc(0);
  let left = 0;

  socket.on('data', (part: Buffer) => {
    if (left > 0) {
      left -= part.length;
    } else {
      if (head.length > 0) part = Buffer.concat([head, part]);
      const end = part.indexOf(headEnd);
      if (end < 0) {
        head = part;
        return;
      }
      const text = part.toString('latin1', 0, end);
      const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
      if (!text.startsWith('HTTP/1.1 200') || length === undefined) {
        failed(new Error(`Not the answer that was expected:\n${part.toString().slice(0, 1000)}`));
        socket.destroy();
        return;
      }
      head = Buffer.alloc(0);
      left = Number(length) - (part.length - end - headEnd.length);
    }
    if (left === 0) answered();
  });
  socket.on('error', failed);
  socket.on('close', () => failed(new Error('The server closed a connection.')));
}
