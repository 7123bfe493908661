import { timeOffsetHeader } from '#features/profile/contract/profile.ts';
import { sessionHeader } from '#features/session/contract/session.ts';
import { describe, expect, it } from 'vitest';
import { createManualClock, settled } from '../../testing/manual-clock.ts';
import { networkProblem, ProblemError } from '../calls/problem-error.ts';
import { createErrorRecord } from '../record-error.ts';
import { createSignal, createStore } from '../state/store.ts';
import { mostOfAPage, repeatedAfter } from './fault-gate.ts';
import { bufferFailedCalls } from './buffered-calls.ts';
import { sendFaults } from './send-faults.ts';

type SentEvent = {
  event_id: string;
  exception: { values: [{ value: string; stacktrace: { frames: unknown[] } }] };
  tags: unknown;
  extra?: unknown;
  user?: unknown;
};
type Sent = { address: string; options: RequestInit; header: object; event: SentEvent };

const key = '0123456789abcdef0123456789abcdef';
const person = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.org' };

/** A page that reports its errors, and what it has sent. */
function openPage() {
  const clock = createManualClock();
  const problems = createSignal<{ problem: ProblemError; call: string }>();
  const errors = createErrorRecord(clock.now, () => '/people/$personId/data');
  const held = bufferFailedCalls(
    { onProblem: (listener) => problems.subscribe(({ problem, call }) => listener(problem, call)) },
    clock.now,
    () => '/people/$personId/data',
  );
  const sent: Sent[] = [];
  const listeners = new Map<string, () => void>();
  let answers: () => Promise<Response> = async () => new Response('{}');
  const window = {
    location: { origin: 'https://portico.test' },
    navigator: { userAgent: 'Browser/1', onLine: true },
    addEventListener: (name: string, listener: () => void) => listeners.set(name, listener),
    async fetch(address: string, options: RequestInit) {
      const [header, , event] = (options.body as string).split('\n');
      const answer = await answers();
      sent.push({
        address,
        options,
        header: JSON.parse(header ?? '') as object,
        event: JSON.parse(event ?? '') as SentEvent,
      });
      return answer;
    },
  };
  const start = () =>
    sendFaults({
      boot: { release: '1.2.3', production: true },
      faults: { dsn: `https://${key}@portico.test/1`, tunnel: '/v1/faults' },
      errors,
      held,
      clock,
      breadcrumbs: () => [{ kind: 'navigation', at: 5, path: '/people' }],
      currentUser: createStore(person as never),
      timeOffset: () => 330,
      window: window as never,
    });
  return {
    clock,
    errors,
    sent,
    start,
    happens: (name: string) => listeners.get(name)?.(),
    fails: (problem: ProblemError, call = 'GET /v1/people/:personId') => problems.publish({ problem, call }),
    setOnline: (isOnline: boolean) => (window.navigator.onLine = isOnline),
    answer: (next: typeof answers) => (answers = next),
  };
}

function thrown(message: string): Error {
  const error = new TypeError(message);
  error.stack = `TypeError: ${message}\n    at draw (https://portico.test/assets/main-1a2b.js?t=secret:12:345)`;
  return error;
}

const crash = new ProblemError({ status: 500, code: 'INTERNAL', title: 'Of Ada', requestId: 'req-7' });

describe('DIAG-1: what the web reports of itself', () => {
  it('DIAG-1: an error with its place, screen and the steps before, and nothing of the person', async () => {
    const page = openPage();
    page.errors.record('page.error', thrown(`Cannot read "Ada's secret" of ada@example.org for Lovelace`));
    page.start();
    await settled();

    const [{ address, options, header, event }] = page.sent as [Sent];
    expect(page.sent).toHaveLength(1);
    expect(address).toBe('/v1/faults');
    expect(options).toMatchObject({ method: 'POST', keepalive: true });
    expect(Object.fromEntries(options.headers as Headers)).toEqual({
      [sessionHeader.toLowerCase()]: '1',
      [timeOffsetHeader]: '330',
    });
    expect(header).toMatchObject({ dsn: `https://${key}@portico.test/1`, event_id: event.event_id });
    expect(event).toMatchObject({
      event_id: page.errors.recorded.get()[0]?.id,
      release: '1.2.3',
      environment: 'production',
      transaction: '/people/$personId/data',
      tags: { what: 'page.error', screen: '/people/$personId/data' },
      request: { url: 'https://portico.test/people/$personId/data' },
      breadcrumbs: [{ timestamp: 0.005, category: 'navigation', message: '/people' }],
    });
    const [exception] = event.exception.values;
    expect(exception).toMatchObject({ type: 'TypeError', mechanism: { type: 'page.error', handled: false } });
    expect(exception.stacktrace.frames).toMatchObject([
      { filename: 'https://portico.test/assets/main-1a2b.js', function: 'draw', lineno: 12, colno: 345 },
    ]);
    expect(event.user).toBeUndefined();
    expect(JSON.stringify(page.sent)).not.toMatch(/\bada\b|lovelace|secret/i);
  });

  it('DIAG-1: a failed call once, with what was being done and the id in the log; no refusal', async () => {
    const page = openPage();
    page.fails(crash);
    page.start();
    page.errors.record('profile.load', new Error('Of Ada', { cause: crash }));
    const silent = new ProblemError({ status: 503, code: 'UNAVAILABLE', title: '', requestId: 'req-8' });
    page.fails(silent, 'GET /v1/flags');
    const refused = new ProblemError({ status: 409, code: 'VERSION_CONFLICT', title: '' });
    page.fails(refused);
    page.errors.record('profile.update', refused);
    await page.clock.pass(1_000);

    expect(page.sent.map(({ event }) => [event.exception.values[0].value, event.tags])).toEqual([
      [
        'GET /v1/people/:personId: 500 INTERNAL',
        expect.objectContaining({ what: 'profile.load', request_id: 'req-7' }),
      ],
      ['GET /v1/flags: 503 UNAVAILABLE', expect.objectContaining({ what: 'call', request_id: 'req-8' })],
    ]);
    expect(page.sent[0]?.event.event_id).toBe(page.errors.recorded.get()[0]?.id);
    expect(JSON.stringify(page.sent)).not.toContain('Ada');
  });

  it('DIAG-1: of the same error in a loop the first and the last, and at most so many of a page', async () => {
    const page = openPage();
    page.start();
    const again = thrown('again');
    for (let turn = 0; turn < 500; turn += 1) page.errors.record('page.error', again);
    await page.clock.pass(repeatedAfter);
    expect(page.sent.map(({ event }) => event.extra)).toEqual([undefined, { repeated: 499 }]);
    expect(page.sent[1]?.event.event_id).toBe(page.errors.recorded.get().at(-1)?.id);

    for (let turn = 0; turn < 2 * mostOfAPage; turn += 1) {
      page.errors.record(`work.${turn}`, again);
      await settled();
    }
    expect(page.sent).toHaveLength(mostOfAPage);
  });

  it('DIAG-1: what the network held up once it is back, and nothing while the server refuses', async () => {
    const page = openPage();
    page.answer(() => Promise.reject(new TypeError('Failed to fetch')));
    page.start();
    page.errors.record('page.error', thrown('away'));
    await settled();
    expect(page.sent).toEqual([]);
    page.answer(async () => {
      const headers = { 'x-sentry-rate-limits': '60:error:key' };
      return new Response('', { status: 429, headers });
    });
    page.happens('online');
    await settled();
    expect(page.sent).toHaveLength(1);
    page.errors.record('page.rejection', thrown('too many'));
    await settled();
    expect(page.sent).toHaveLength(1);
  });

  it('DIAG-1: no call that was ended by leaving the page, and none of a device that is offline', async () => {
    const page = openPage();
    page.start();
    page.errors.record('events.stream', networkProblem(new TypeError('aborted')));
    page.happens('pagehide');
    await settled();
    expect(page.sent).toEqual([]);
    await page.clock.pass(1_000);
    expect(page.sent.map(({ event }) => event.exception.values[0].value)).toEqual([
      'events.stream: no answer',
    ]);
    page.setOnline(false);
    page.fails(networkProblem(new TypeError('offline')));
    await page.clock.pass(1_000);
    expect(page.sent).toHaveLength(1);
  });

  it('DIAG-1: no error of an extension of the browser, and of a thrown value its type alone', async () => {
    const page = openPage();
    page.start();
    const foreign = new Error('x');
    foreign.stack = 'Error: x\n    at run (chrome-extension://abc/inject.js:1:2)';
    page.errors.record('page.error', foreign);
    page.errors.record('page.rejection', 'Ada typed this');
    await settled();
    expect(page.sent.map(({ event }) => event.exception.values[0].value)).toEqual([
      'A value of type string was thrown',
    ]);
  });
});
