import { describe, expect, it } from 'vitest';
import { createBrowser } from '../../testing/browser.ts';
import { createFakeServer, later, problemAnswer } from '../../testing/fake-server.ts';
import { createFakeStreams } from '../../testing/fake-streams.ts';
import { createManualClock, settled } from '../../testing/manual-clock.ts';
import { createEventSource } from './event-source.ts';
import { ProblemError } from '../calls/problem-error.ts';

const second = 1_000;

type Options = { lastId?: string; random?: number; answer?: Parameters<typeof createFakeServer>[0] };

function setUp({ lastId = '', random = 1, answer }: Options = {}) {
  const clock = createManualClock();
  const tab = createBrowser().openTab();
  const streams = createFakeStreams();
  const server = createFakeServer(answer ?? streams.answer);
  const received: string[] = [];
  const problems: string[] = [];
  const times: number[] = [];
  const start = clock.now();
  const source = createEventSource({
    clock,
    random: () => random,
    presence: tab.presence,
    lastId,
    async open(id, signal) {
      times.push(clock.now() - start);
      const answer = await server.fetch('/stream', {
        signal,
        headers: id === null ? {} : { 'last-event-id': id },
      });
      if (answer.ok) return answer;
      const seconds = Number(answer.headers.get('retry-after') ?? 0);
      throw new ProblemError({
        status: answer.status,
        code: 'X',
        title: '',
        retryAfter: seconds * second,
      });
    },
    onMessage: ({ event, data }) => received.push(`${event} ${data}`),
    onProblem: ({ status }) => problems.push(String(status)),
  });
  /** Milliseconds between one try and the next. */
  const waits = () => times.slice(1).map((time, index) => time - (times[index] ?? 0));
  return { clock, tab, streams, server, source, received, problems, times, waits };
}

type Environment = ReturnType<typeof setUp>;

const hello = 'id: 5\nevent: hello\ndata: {}\n\n';

async function openConnected(options: Options = {}): Promise<Environment> {
  const environment = setUp(options);
  await settled();
  environment.streams.last().send(hello);
  await settled();
  return environment;
}

/** The server beats regularly. */
async function live(environment: Environment, milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 25 * second) {
    environment.streams.last().send(':\n\n');
    await environment.clock.pass(Math.min(25 * second, milliseconds - passed));
  }
}

const down = () => new TypeError('Failed to fetch');

describe('a stream that works', () => {
  it('RIGHT-5: is connected from its first message on, which may come in pieces', async () => {
    const { streams, source, received } = setUp();
    await settled();
    const bytes = new TextEncoder().encode('event: a\ndata: é🦉\n\n');
    for (const one of bytes.subarray(0, -1)) streams.last().send(Uint8Array.of(one));
    await settled();
    expect([source.connected.get(), received]).toEqual([false, []]);
    streams.last().send(bytes.subarray(-1));
    await settled();
    expect([source.connected.get(), received]).toEqual([true, ['a é🦉']]);
  });

  it('RIGHT-5: lives as long as the server beats', async () => {
    const environment = await openConnected();
    await live(environment, 3_600 * second);
    expect([environment.source.connected.get(), environment.times, environment.problems]).toEqual([
      true,
      [0],
      [],
    ]);
  });

  it('RIGHT-5: asks for what came after the last id, its own or the one it was given', async () => {
    const environment = await openConnected({ lastId: '3' });
    const { clock, streams, source } = environment;
    expect(streams.last().request.headers.get('last-event-id')).toBe('3');
    expect(source.lastId()).toBe('5');
    streams.last().send('id: 7\ndata: x\n\nid: 8\ndata: not the whole');
    streams.last().breakOff();
    await clock.pass(second);
    expect(streams.last().request.headers.get('last-event-id')).toBe('7');
  });

  it('RIGHT-5: an id that no header can carry is left out', async () => {
    const { clock, streams } = await openConnected();
    streams.last().send('id: ü\ndata: x\n\n');
    await settled();
    streams.last().end();
    await clock.pass(second);
    expect([streams.all.length, streams.last().request.headers.has('last-event-id')]).toEqual([2, false]);
  });

  it('RIGHT-5: receives nothing more once it is closed, and is not opened again', async () => {
    const { clock, tab, streams, source, received, times } = await openConnected();
    source.close();
    expect([streams.open(), source.connected.get()]).toEqual([[], false]);
    streams.last().send('data: x\n\n');
    tab.show();
    await clock.pass(3_600 * second);
    expect([received, times]).toEqual([['hello {}'], [0]]);
  });
});

describe('a stream that breaks', () => {
  it('RIGHT-5: reconnects within a second, then later and later, up to a minute', async () => {
    const { clock, server, streams, source, waits } = await openConnected();
    await clock.pass(15 * second);
    const before = clock.now();
    server.answerWith(down);
    streams.last().breakOff();
    await settled();
    expect(source.connected.get()).toBe(false);
    await clock.pass(300 * second);
    expect(clock.now() - before).toBe(300 * second);
    expect(waits().map((wait) => wait / second)).toEqual([16, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it('RIGHT-5: browsers reconnect spread out', async () => {
    const { clock, server, streams, waits } = await openConnected({ random: 0 });
    server.answerWith(down);
    streams.last().end();
    await clock.pass(20 * second);
    expect(waits()).toEqual([500, 1_000, 2_000, 4_000, 8_000]);
  });

  it('RIGHT-5: reconnects when the server wants it to', async () => {
    const { clock, server, streams, waits } = await openConnected();
    await clock.pass(20 * second);
    streams.last().send('retry: 4000\n\n');
    await settled();
    streams.last().end();
    server.answerWith(down);
    await clock.pass(13 * second);
    expect(waits()).toEqual([24_000, 8_000]);
  });

  it.each([
    ['0', 100],
    ['9'.repeat(400), 60_000],
  ])('RIGHT-5: a server that wants it back after %s ms is asked again within limits', async (asked, wait) => {
    const { clock, streams, times } = await openConnected();
    await clock.pass(20 * second);
    streams.last().send(`retry: ${asked}\n\n`);
    await settled();
    streams.last().end();
    await clock.pass(wait);
    expect(times).toEqual([0, 20 * second + wait]);
  });

  it('RIGHT-5: waits as long as a refusal asks, and longer the next time it is cut off at once', async () => {
    const { clock, server, streams, waits } = await openConnected();
    server.answerWith(() => {
      const busy = problemAnswer(503, 'UNAVAILABLE');
      busy.headers.set('retry-after', '40');
      return busy;
    });
    streams.last().end();
    await clock.pass(61 * second);
    expect(waits()).toEqual([1_000, 60_000]);
    server.answerWith(streams.answer);
    await clock.pass(60 * second);
    streams.last().send(hello);
    await settled();
    streams.last().end();
    await clock.pass(60 * second);
    expect(waits().at(-1)).toBe(8_000);
  });

  it('RIGHT-5: an answer that is not a stream counts as a failure', async () => {
    const environment = setUp({ answer: () => new Response('<p>Welcome to the hotel', { status: 200 }) });
    await environment.clock.pass(5 * second);
    expect([environment.source.connected.get(), environment.times.length > 2]).toEqual([false, true]);
  });

  it.each([401, 403])(
    'RIGHT-5: what is refused with %i is left alone until a person returns',
    async (status) => {
      const environment = setUp({ answer: () => problemAnswer(status, 'NO') });
      await environment.clock.pass(3_600 * second);
      expect([environment.times, environment.problems]).toEqual([[0], [String(status)]]);
      environment.server.answerWith(environment.streams.answer);
      environment.tab.show();
      await settled();
      environment.streams.last().send(hello);
      await settled();
      expect(environment.source.connected.get()).toBe(true);
    },
  );
});

describe('a stream that is held back or has gone silent', () => {
  it('RIGHT-5: without a first message for 10 s it is aborted, and retried with growing waits', async () => {
    const { clock, source, streams, times, waits, problems } = setUp();
    await clock.pass(1_500 * second);
    expect(waits().map((wait) => wait / second)).toEqual([20, 30, 50, 90, 170, 310, 310, 310]);
    expect([source.connected.get(), streams.open().length <= 1]).toEqual([false, true]);
    expect(problems).toHaveLength(times.length);
  });

  it('RIGHT-5: an answer that never begins is aborted too', async () => {
    const environment = setUp({ answer: () => later().promise });
    await environment.clock.pass(25 * second);
    expect(environment.waits()).toEqual([20_000]);
  });

  it('RIGHT-5: after 60 s of silence it is opened again', async () => {
    const { clock, streams, source } = await openConnected();
    await clock.pass(59 * second);
    expect(source.connected.get()).toBe(true);
    await clock.pass(second);
    expect([source.connected.get(), streams.open()]).toEqual([false, []]);
    await clock.pass(second);
    expect(streams.open()).toHaveLength(1);
  });

  it('RIGHT-5: after sleep, in which no timer ran, it is opened again within seconds', async () => {
    const { clock, streams } = await openConnected();
    const [before] = streams.all;
    clock.sleep(3_600 * second);
    await clock.pass(11 * second);
    expect([before?.isOpen(), streams.open().length]).toEqual([false, 1]);
  });

  it('RIGHT-5: a clock that is put back does not hide silence', async () => {
    const environment = await openConnected();
    environment.clock.sleep(-3_600 * second);
    await environment.clock.pass(71 * second);
    expect(environment.source.connected.get()).toBe(false);
  });

  it('RIGHT-5: on return to the tab it is opened again at once if nothing was received for 30 s, and left alone otherwise', async () => {
    const environment = await openConnected();
    await environment.clock.pass(29 * second);
    environment.tab.show();
    await settled();
    expect(environment.streams.all).toHaveLength(1);
    await environment.clock.pass(second);
    environment.tab.show();
    await settled();
    expect([environment.streams.all.length, environment.streams.open().length]).toEqual([2, 1]);
  });

  it('RIGHT-5: on return to the tab a wait is over, but not for each of many returns', async () => {
    const environment = await openConnected();
    environment.server.answerWith(down);
    environment.streams.last().end();
    await environment.clock.pass(30 * second);
    const before = environment.times.length;
    for (let time = 0; time < 20; time += 1) {
      environment.tab.show();
      await settled();
    }
    expect(environment.times.length - before).toBe(1);
  });

  it('RIGHT-5: a clock that is put back does not keep a person who returns waiting', async () => {
    const { clock, tab, times } = setUp({ answer: () => problemAnswer(403, 'RIGHT_MISSING') });
    await clock.pass(2 * second);
    clock.sleep(-3_600 * second);
    tab.show();
    await settled();
    expect(times).toHaveLength(2);
  });

  it('RIGHT-5: a return while it is being opened does not begin again', async () => {
    const environment = setUp();
    await environment.clock.pass(5 * second);
    environment.tab.show();
    await settled();
    expect(environment.times).toEqual([0]);
  });
});
