import { connect, type Socket } from 'node:net';
import { afterThisTest } from './fresh-database.ts';

/** The response to bytes that no proper client sends. */
export type RawAnswer = { status: number; headers: Headers; body: string };

/** Sends text unchanged and reads until the server closes; the text should hold `Connection: close`. */
export function sendRaw(port: number, text: string): Promise<RawAnswer> {
  return new Promise((done, fail) => {
    let answer = '';
    const socket = openSocket(port);
    socket.setEncoding('utf8');
    socket.on('data', (part: string) => (answer += part));
    socket.once('error', fail);
    socket.once('close', () => done(parse(answer)));
    socket.write(text);
  });
}

/** A socket to the server, destroyed after the test. */
export function openSocket(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  afterThisTest(() => void socket.destroy());
  return socket;
}

function parse(answer: string): RawAnswer {
  const [head = '', ...rest] = answer.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
  return { status: Number(statusLine.split(' ')[1]), headers, body: rest.join('\r\n\r\n') };
}
