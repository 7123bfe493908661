import { type Breadcrumb, reportContext } from '#features/feedback/contract/feedback.ts';
import { describe, expect, it } from 'vitest';
import { createRing, mostBreadcrumbs } from './recorder.ts';
import { type ConsoleLine, watchCalls, watchConsole, watchMoves } from './watch-page.ts';

const click = (at: number, name: string): Breadcrumb => ({ kind: 'click', at, role: 'button', name });
const call = (at: number): Breadcrumb => ({
  kind: 'call',
  at,
  call: `GET /v1/${'x'.repeat(at)}`,
  status: 500,
});

describe('BUG-7: the last steps of a page', () => {
  it('BUG-7: a bounded number, of which many of one kind drive out no others, in the order of time', () => {
    const ring = createRing();
    for (let at = 1; at <= 10; at += 1) ring.add(call(at));
    for (let at = 11; at <= 500; at += 1) ring.add(click(at, `${at}`));
    ring.add({ kind: 'navigation', at: 5, path: '/late' });
    const crumbs = ring.all();
    expect(crumbs).toHaveLength(mostBreadcrumbs);
    expect(crumbs.filter(({ kind }) => kind === 'call')).toHaveLength(10);
    expect(crumbs.at(-1)).toEqual(click(500, '500'));
    expect(crumbs.map(({ at }) => at)).toEqual(crumbs.map(({ at }) => at).toSorted((a, b) => a - b));
    expect(crumbs.filter(({ kind }) => kind === 'navigation')).toHaveLength(1);
    expect(reportContext.parse({ breadcrumbs: crumbs }).breadcrumbs).toEqual(crumbs);
  });

  it('BUG-7: a repeated one is counted', () => {
    const ring = createRing();
    for (let at = 1; at <= 3; at += 1) ring.add(click(at, 'Next'));
    ring.add(click(4, 'Back'));
    ring.add(click(5, 'Next'));
    expect(ring.all()).toEqual([{ ...click(1, 'Next'), count: 3 }, click(4, 'Back'), click(5, 'Next')]);
  });
});

describe('BUG-7: the console', () => {
  function page() {
    const written: unknown[][] = [];
    const lines: ConsoleLine[] = [];
    const console = {
      error: (...values: unknown[]) => void written.push(['error', ...values]),
      warn: (...values: unknown[]) => void written.push(['warn', ...values]),
    };
    return { console, written, lines, onLine: (line: ConsoleLine) => void lines.push(line) };
  }

  it('BUG-7: what a programmer wrote, and of an error its kind and message; no values', () => {
    const { console, written, lines, onLine } = page();
    watchConsole(console, () => ['Ada'], onLine);
    console.error('Could not save %s', 'a typed secret', { typed: 'secret' });
    console.warn(new TypeError('of ada@example.org is not a function'), 'secret');
    console.error('Failed:', new RangeError('Invalid time "typed by Ada"'));
    console.error({ typed: 'secret' });
    expect(lines).toEqual([
      { level: 'error', text: 'Could not save' },
      { level: 'warning', text: 'TypeError: of [email] is not a function' },
      { level: 'error', text: 'Failed: RangeError: Invalid time "…"' },
      { level: 'error', text: 'object' },
    ]);
    expect(written.map(([method]) => method)).toEqual(['error', 'warn', 'error', 'error']);
    expect(written[0]).toEqual(['error', 'Could not save %s', 'a typed secret', { typed: 'secret' }]);
  });

  it('BUG-7: it survives wrapping by others in any order, its own failure, and writing while it reports', () => {
    const { console, written, lines } = page();
    watchConsole(
      console,
      () => [],
      (line) => {
        console.error('from inside');
        lines.push(line);
        throw new Error('it fails');
      },
    );
    const ours = console.error;
    let outer = 0;
    console.error = (...values) => {
      outer += 1;
      ours(...values);
    };
    console.error('once');
    expect(lines).toEqual([{ level: 'error', text: 'once' }]);
    expect(written).toEqual([
      ['error', 'from inside'],
      ['error', 'once'],
    ]);
    expect(outer).toBe(2);
  });
});

describe('BUG-7: the moves of a page without the Navigation API', () => {
  it('BUG-7: each other path once', () => {
    const location = { pathname: '/a' };
    const go = (_state: unknown, _title: string, address?: string | URL | null) => {
      location.pathname = String(address).split('?')[0] ?? '';
    };
    const history = { pushState: go, replaceState: go };
    const events = new EventTarget();
    const window = Object.assign(events, { history, location }) as unknown as Window;
    const paths: string[] = [];
    watchMoves(window, (path) => paths.push(path));
    history.pushState(null, '', '/b?secret=1');
    history.pushState(null, '', '/b?secret=2');
    history.replaceState(null, '', '/c');
    location.pathname = '/a';
    events.dispatchEvent(new Event('popstate'));
    expect(paths).toEqual(['/b', '/c', '/a']);
  });
});

describe('BUG-7: the failed calls of a page that does not report them', () => {
  it('BUG-7: method, masked path, status and request id of fetch; no aborted call', async () => {
    const answers: Record<string, () => Promise<Response>> = {
      '/fine': () => Promise.resolve(new Response('')),
      '/v1/users/550e8400-e29b-41d4-a716-446655440000?token=secret': () =>
        Promise.resolve(new Response('', { status: 503, headers: { 'x-request-id': 'r-1' } })),
      'https://maps.test/tiles/12345?key=secret': () => Promise.reject(new TypeError('Failed to fetch')),
      '/left': () => Promise.reject(new DOMException('left', 'AbortError')),
    };
    const fetched = ((address: string) =>
      answers[address]?.() ?? Promise.reject(new Error('unknown'))) as typeof fetch;
    const window = { fetch: fetched, location: { href: 'https://portico.test/people?secret=1' } };
    const calls: unknown[] = [];
    watchCalls(window, (one) => calls.push(one));
    for (const address of Object.keys(answers))
      await window.fetch(address, { method: 'post' }).catch((error: Error) => error);
    expect(calls).toEqual([
      { call: 'POST /v1/users/:id', status: 503, requestId: 'r-1' },
      { call: 'POST maps.test/tiles/:id', status: 0 },
    ]);
  });
});
