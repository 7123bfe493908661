import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

// Many readers of one event stream, in a process of their own, because each process may open only so many sockets.
// The process receives its tasks as messages and answers each of them.

/** The tasks that the process receives. */
export type StreamTask =
  /** Open `count` streams and wait until each has begun. */
  | { task: 'open'; port: number; path: string; count: number; bearers: readonly string[] }
  /**
   * Send a request whose change puts a marker into every stream, and measure how long it takes until the last
   * stream has the whole event.
   */
  | { task: 'change'; request: string; marker: string }
  | { task: 'close' };

/** What it answers. */
export type StreamAnswer =
  | { opened: number }
  | { milliseconds: number }
  | { closed: true }
  | { failed: string };

/** The number of connections that are opened at a time: fewer than the backlog of a server. */
const atOnce = 250;
const timeoutMs = 60_000;
const eventEnd = Buffer.from('\n\n');

type Stream = { socket: Socket; tail: Buffer; found: boolean };

const streams: Stream[] = [];
let control: Socket | null = null;
let marker = Buffer.from('nothing yet');
let waiting = 0;
let last: () => void = () => undefined;

process.on('message', (task: StreamTask) => {
  perform(task).then(answer, (error: unknown) => answer({ failed: String(error) }));
});
process.on('disconnect', () => process.exit());

function answer(message: StreamAnswer): void {
  process.send?.(message);
}

async function perform(task: StreamTask): Promise<StreamAnswer> {
  switch (task.task) {
    case 'open':
      await openAll(task);
      return { opened: streams.length };
    case 'change':
      return { milliseconds: await change(task.request, task.marker) };
    case 'close':
      for (const { socket } of streams) socket.destroy();
      streams.length = 0;
      control?.destroy();
      control = null;
      return { closed: true };
  }
}

async function openAll({ port, path, count, bearers }: StreamTask & { task: 'open' }): Promise<void> {
  control ??= await opened(port);
  control.on('error', () => undefined);
  while (streams.length < count) {
    const more = Math.min(atOnce, count - streams.length);
    const next = Array.from({ length: more }, (_one, index) =>
      openOne(port, path, bearers[streams.length + index]),
    );
    streams.push(...(await Promise.all(next)));
  }
}

/** One address can have some 28,000 connections to one port; on Linux, all of 127.0.0.0/8 can be used. */
const streamsOfAddress = 5_000;

/** A connection without Nagle's delay. */
function opened(port: number): Promise<Socket> {
  const address = 2 + Math.floor(streams.length / streamsOfAddress);
  const from = process.platform === 'linux' ? { localAddress: `127.0.0.${address}` } : {};
  return new Promise((done, fail) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, ...from });
    socket.once('error', fail);
    socket.once('connect', () => {
      socket.off('error', fail);
      done(socket);
    });
  });
}

/** Opens a stream; resolves once the head of the answer and what is sent at once have arrived. */
async function openOne(port: number, path: string, bearer: string | undefined): Promise<Stream> {
  const socket = await opened(port);
  const stream: Stream = { socket, tail: Buffer.alloc(0), found: false };
  await new Promise<void>((done, fail) => {
    socket.once('error', fail);
    socket.once('close', () => fail(new Error('The server closed a stream.')));
    socket.once('data', (part: Buffer) => {
      if (part.toString('latin1', 0, 12) === 'HTTP/1.1 200') done();
      else fail(new Error(part.toString().slice(0, 200)));
    });
    const authorization = bearer === undefined ? '' : `authorization: Bearer ${bearer}\r\n`;
    socket.write(
      `GET ${path} HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\n${authorization}\r\n`,
    );
  });
  socket.on('data', (part: Buffer) => take(stream, part));
  return stream;
}

function take(stream: Stream, part: Buffer): void {
  if (waiting === 0) return;
  const bytes = stream.tail.length === 0 ? part : Buffer.concat([stream.tail, part]);
  let from = 0;
  if (!stream.found) {
    const at = bytes.indexOf(marker);
    if (at < 0) {
      // The marker may be split between two parts.
      stream.tail = bytes.subarray(-marker.length);
      return;
    }
    stream.found = true;
    from = at;
  }
  if (bytes.indexOf(eventEnd, from) < 0) {
    stream.tail = bytes.subarray(-1);
    return;
  }
  stream.tail = Buffer.alloc(0);
  waiting -= 1;
  if (waiting === 0) last();
}

async function change(request: string, expected: string): Promise<number> {
  marker = Buffer.from(expected);
  for (const stream of streams) {
    stream.tail = Buffer.alloc(0);
    stream.found = false;
  }
  waiting = streams.length;
  const all = new Promise<void>((done) => (last = done));
  const given = new Promise<string>((done) => control?.once('data', (part: Buffer) => done(part.toString())));
  const begun = performance.now();
  control?.write(request);
  const late = pause(timeoutMs, 'late' as const, { ref: false });
  if ((await Promise.race([all, late])) === 'late') {
    throw new Error(`${waiting} of ${streams.length} streams heard nothing. The server said: ${await given}`);
  }
  const milliseconds = performance.now() - begun;
  await given;
  return milliseconds;
}
