import fc from 'fast-check';
import { EventSource } from 'eventsource';
import { describe, expect, it, vi } from 'vitest';
import { route } from '#contract/route.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { afterThisTest } from '../../testing/fresh-database.ts';
import { openSocket } from '../../testing/raw-request.ts';
import { createEventStream, eventMessage, type EventStream, type OpenStream } from './event-stream.ts';
import { createWorkLine } from '../time/sliced-work.ts';

const subscribe = route({
  method: 'GET',
  path: '/stream',
  summary: 'Events',
  access: 'public',
  answer: { raw: 'text/event-stream' },
});

const message = (id: string, data: string) => eventMessage({ event: 'features', id, data });

/** A server with one stream; each reader gets `first` at once. */
async function serving(stream: EventStream, first: Buffer | null = null): Promise<TestServer> {
  afterThisTest(() => stream.close());
  return startTestServer((serve) =>
    serve(subscribe, ({ reply }) => {
      stream.open(reply, { first, headers: { 'x-kind': 'plain' } });
    }),
  );
}

/** A real client (WHATWG's EventSource); what it has received, as `event id data`. */
async function listen(at: TestServer): Promise<{ received: string[]; source: EventSource }> {
  const source = new EventSource(`${at.url}/stream`);
  afterThisTest(() => source.close());
  const received: string[] = [];
  source.addEventListener('features', (event) =>
    received.push(`${event.type} ${event.lastEventId} ${event.data}`),
  );
  await expect.poll(() => source.readyState).toBe(EventSource.OPEN);
  return { received, source };
}

/** The raw text of a stream, as far as it has come, and whether the server has closed it. */
function watch(at: TestServer): { text: string; closed: boolean } {
  const seen = { text: '', closed: false };
  const socket = openSocket(at.port);
  socket.setEncoding('utf8').on('data', (part: string) => (seen.text += part));
  socket.on('close', () => (seen.closed = true));
  socket.write('GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n');
  return seen;
}

describe('an event stream', () => {
  it('FLAG-2: sends the first message at once, and then each that follows, to all', async () => {
    const stream = createEventStream(3_000);
    const at = await serving(stream, message('7', '{"on":true}'));
    const clients = [await listen(at), await listen(at), await listen(at)];
    expect(stream.size).toBe(3);
    stream.broadcast(message('8', '{"on":false}'));
    for (const { received } of clients) {
      await expect.poll(() => received).toEqual(['features 7 {"on":true}', 'features 8 {"on":false}']);
    }
  });

  it('FLAG-2: answers as a stream that nothing on the way keeps or holds back, with the security headers', async () => {
    const at = await serving(createEventStream(3_000));
    const answer = await fetch(`${at.url}/stream`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store, no-transform');
    expect(answer.headers.get('x-accel-buffering')).toBe('no');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('x-kind')).toBe('plain');
    await answer.body?.cancel();
  });

  it('FLAG-2: sends when to reconnect, and heartbeats while there is nothing to send', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    afterThisTest(() => void vi.useRealTimers());
    const stream = createEventStream(3_000, 1_000);
    const seen = watch(await serving(stream));
    await expect.poll(() => seen.text).toContain('retry: 3000\n\n');
    vi.advanceTimersByTime(900);
    stream.broadcast(message('1', 'a'));
    vi.advanceTimersByTime(900);
    stream.broadcast(message('2', 'b'));
    await expect.poll(() => seen.text).toContain('data: b');
    expect(seen.text).not.toContain(':\n\n');
    vi.advanceTimersByTime(2_000);
    await expect.poll(() => seen.text.split(':\n\n')).toHaveLength(3);
  });

  it('FLAG-2: forgets a client that has gone', async () => {
    const stream = createEventStream(3_000);
    const at = await serving(stream);
    const [gone, stays] = [await listen(at), await listen(at)];
    gone.source.close();
    await expect.poll(() => stream.size).toBe(1);
    stream.broadcast(message('1', 'still here'));
    await expect.poll(() => stays.received).toEqual(['features 1 still here']);
  });

  it('FLAG-2: drops a reader that does not keep up, and keeps what waits for it within a bound', async () => {
    const stream = createEventStream(3_000);
    const at = await serving(stream);
    const quick = await listen(at);
    const slow = openSocket(at.port);
    slow.pause();
    slow.write('GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await expect.poll(() => stream.size).toBe(2);
    const large = message('1', 'x'.repeat(256 * 1024));
    let sent = 0;
    while (stream.size > 1 && sent < 200) {
      stream.broadcast(large);
      sent += 1;
      await expect.poll(() => quick.received.length, { interval: 1 }).toBe(sent);
    }
    // Only what the operating system buffers (some megabytes) and what waits here (one), not all of it.
    expect([stream.size, sent < 200]).toEqual([1, true]);
    let received = 0;
    slow.on('data', (part: Buffer) => (received += part.length));
    const ended = new Promise((done) => slow.once('close', done));
    slow.resume();
    await ended;
    expect(received).toBeLessThan(sent * large.length);
  });

  it('RIGHT-5: sends to one alone, and drops that one where it does not keep up', async () => {
    const stream = createEventStream(3_000);
    afterThisTest(() => stream.close());
    const open: OpenStream[] = [];
    let closed = 0;
    const at = await startTestServer((serve) =>
      serve(subscribe, ({ reply }) => {
        const opened = stream.open(reply, { first: null, onClose: () => (closed += 1) });
        if (opened !== null) open.push(opened);
      }),
    );
    const slow = openSocket(at.port);
    slow.pause();
    slow.write('GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await expect.poll(() => stream.size).toBe(1);
    const [other, quick] = [await listen(at), await listen(at)];
    const [slowOne, otherOne, quickOne] = open as [OpenStream, OpenStream, OpenStream];
    stream.send(quickOne, message('1', 'to one'));
    const large = message('2', 'x'.repeat(256 * 1024));
    for (let sent = 0; sent < 200; sent += 1) stream.send(slowOne, large);
    await expect.poll(() => stream.size).toBe(2);
    await expect.poll(() => closed).toBe(1);
    stream.send(slowOne, large);
    stream.end(slowOne, large);

    stream.end(otherOne, message('3', 'the last'));
    await expect.poll(() => stream.size).toBe(1);
    await expect.poll(() => closed).toBe(2);
    await expect.poll(() => other.received).toEqual(['features 3 the last']);
    other.source.close();
    stream.broadcast(message('4', 'to all'));
    await expect.poll(() => quick.received).toEqual(['features 1 to one', 'features 4 to all']);
  });

  it('FLAG-2: in slices keeps each reader to the order of the calls, and begins a new one with what is current', async () => {
    const stream = createEventStream(3_000);
    afterThisTest(() => stream.close());
    const open: OpenStream[] = [];
    let before = (): void => undefined;
    let waited = false;
    let left: number | undefined;
    const at = await startTestServer((serve) =>
      serve(subscribe, ({ reply }) => {
        before();
        const opened = stream.open(reply, { first: message('1', 'current') });
        if (opened !== null) open.push(opened);
      }),
    );
    const [one, other] = [await listen(at), await listen(at)];
    before = () => {
      stream.broadcast(message('1a', 'at once'));
      left = open[1]?.writableLength;
      // Nothing more is written in this turn of the event loop.
      createWorkLine().add(() => {
        for (const end = performance.now() + 30; performance.now() < end;);
        return true;
      });
      const written = open[1]?.socket?.bytesWritten;
      stream.broadcast(message('2', 'to all'));
      waited = open[1]?.socket?.bytesWritten === written;
      stream.send(open[0] as OpenStream, message('3', 'to one'));
      stream.broadcast(message('4', 'to all again'));
      stream.end(open[0] as OpenStream, message('5', 'the last'));
    };
    const late = await listen(at);
    expect([left, waited]).toEqual([0, true]);
    await expect
      .poll(() => one.received)
      .toEqual([
        'features 1 current',
        'features 1a at once',
        'features 2 to all',
        'features 3 to one',
        'features 4 to all again',
        'features 5 the last',
      ]);
    one.source.close();
    stream.broadcast(message('6', 'to those who are there'));
    const toOther = ['1 current', '1a at once', '2 to all', '4 to all again', '6 to those who are there'];
    await expect.poll(() => other.received).toEqual(toOther.map((text) => `features ${text}`));
    await expect
      .poll(() => late.received)
      .toEqual(['features 1 current', 'features 6 to those who are there']);
  });

  it('RIGHT-5: is not opened for a reader who went while its first message was prepared', async () => {
    const stream = createEventStream(3_000);
    afterThisTest(() => stream.close());
    const gone = Promise.withResolvers<unknown>();
    const asked = Promise.withResolvers<void>();
    const at = await startTestServer((serve) =>
      serve(subscribe, async ({ reply }) => {
        const left = new Promise((done) => reply.raw.once('close', done));
        asked.resolve();
        await left;
        gone.resolve(stream.open(reply, { first: null }));
      }),
    );
    const socket = openSocket(at.port);
    socket.write('GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await asked.promise;
    socket.destroy();
    expect(await gone.promise).toBe(null);
    expect(stream.size).toBe(0);
  });

  it('RUN-2: closes with a time to reconnect that differs between clients', async () => {
    const stream = createEventStream(3_000);
    const at = await serving(stream);
    const seen = Array.from({ length: 12 }, () => watch(at));
    await expect.poll(() => stream.size).toBe(12);
    stream.close();
    await expect.poll(() => stream.size).toBe(0);
    await expect.poll(() => seen.every(({ text }) => text.endsWith('0\r\n\r\n'))).toBe(true);
    const times = seen.map(({ text }) => Number(/.*retry: (\d+)\n\n/s.exec(text)?.[1]));
    for (const time of times) {
      expect(time).toBeGreaterThanOrEqual(500);
      expect(time).toBeLessThanOrEqual(5_500);
    }
    expect(new Set(times).size).toBeGreaterThan(6);
    // A client that connects now is closed in the same way.
    const late = watch(at);
    await expect.poll(() => late.text.endsWith('0\r\n\r\n')).toBe(true);
    expect(late.text).toMatch(/retry: \d+\n\n/);
    expect(stream.size).toBe(0);
  });
});

describe('the frame of an event', () => {
  it('FLAG-2: comes out of an EventSource as it went in, line breaks of any kind as \\n', async () => {
    const stream = createEventStream(3_000);
    const at = await serving(stream);
    const { received } = await listen(at);
    const lines = fc.string({ unit: fc.constantFrom('a', ' ', ':', '\n', '\r', '\r\n', '"', 'é', '🦉') });
    await fc.assert(
      fc.asyncProperty(lines, async (data) => {
        received.length = 0;
        stream.broadcast(message('1', data));
        await expect
          .poll(() => received, { interval: 1 })
          .toEqual([`features 1 ${data.replaceAll(/\r\n|\r/g, '\n')}`]);
      }),
      { numRuns: 60 },
    );
  });
});
