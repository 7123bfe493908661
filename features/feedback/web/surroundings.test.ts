import { describe, expect, it } from 'vitest';
import { type Breadcrumb, reportContext } from '#features/feedback/contract/feedback.ts';
import type { RecordedError } from '#web/platform/record-error.ts';
import { breadcrumbKey, contextParts, type PageFacts, readSurroundings, sentAlong } from './surroundings.ts';

const window = {
  innerWidth: 1280,
  innerHeight: 720,
  devicePixelRatio: 1.25,
  document: { documentElement: { lang: 'de' } },
  navigator: { userAgent: 'Mozilla/5.0', language: 'de-AT' },
} as unknown as Window;
const recorded = (what: string, digit: string): RecordedError => ({
  id: digit.repeat(32),
  at: 900,
  what,
  screen: '/people/$personId/data',
  kind: 'ProblemError',
  status: 500,
  code: 'INTERNAL',
  requestId: 'r-1',
  error: new Error('of ada@example.org'),
});
const crumbs: Breadcrumb[] = [
  { kind: 'navigation', at: 700, path: '/people' },
  { kind: 'click', at: 750, role: 'button', name: 'Save', count: 2 },
  { kind: 'call', at: 800, call: 'GET /v1/users/:userId/profile', status: 0, code: 'NETWORK' },
  { kind: 'console', at: 850, level: 'warning', text: 'Slow' },
];
const nothing = { release: '0.1.0', errors: [], breadcrumbs: [], flags: [], rights: [] };
const read = (address: string, page: Partial<PageFacts> = {}) =>
  readSurroundings(window, 1_000, { ...nothing, ...page, address });
const full = {
  errors: [recorded('profile.load', 'a'), recorded('feedback.send', 'b')],
  breadcrumbs: crumbs,
  flags: [
    { key: 'NEW_MAP', value: true },
    { key: 'COLOUR', value: 'blue' },
    { key: 'SIZES', value: { small: 1 } },
  ],
  rights: ['MAP_VIEW'],
};

describe('BUG-7: what is sent along', () => {
  it('BUG-7: the address with its query, without fragment and without user name', () => {
    expect(read('https://ada:secret@portico.test/map?zoom=3#token=secret').address).toBe(
      'https://portico.test/map?zoom=3',
    );
  });

  it('BUG-7: everything, in the shape of the contract', () => {
    const { url, context } = sentAlong(read('https://portico.test/'), []);
    expect(url).toBe('https://portico.test/');
    expect(reportContext.parse(context)).toEqual(context);
    expect(context).toMatchObject({
      release: '0.1.0',
      browser: 'Mozilla/5.0',
      viewport: '1280 × 720 @1.25',
      language: 'de',
      time: 1_000,
    });
  });

  it.each(contextParts)('BUG-7: without %s where the person leaves it out', (part) => {
    const { url, context, associatedEventId: event } = sentAlong(read('https://portico.test/', full), [part]);
    const all = {
      ...(url === '' ? {} : { address: url }),
      ...(event === undefined ? {} : { event }),
      ...context,
    };
    expect(Object.keys(all).toSorted()).toEqual(contextParts.filter((one) => one !== part).toSorted());
  });

  it('BUG-7: the last steps and errors, flags and rights, and no error itself', () => {
    const { context, associatedEventId } = sentAlong(read('https://portico.test/', full), []);
    expect(reportContext.parse(context)).toEqual(context);
    expect(context.errors?.map(({ what }) => what)).toEqual(['profile.load', 'feedback.send']);
    expect(context.errors?.[0]).toEqual({
      id: 'a'.repeat(32),
      at: 900,
      what: 'profile.load',
      screen: '/people/$personId/data',
      kind: 'ProblemError',
      status: 500,
      code: 'INTERNAL',
      requestId: 'r-1',
    });
    expect(context.breadcrumbs).toEqual(crumbs);
    expect(context.flags).toEqual([
      { key: 'NEW_MAP', value: 'true' },
      { key: 'COLOUR', value: 'blue' },
      { key: 'SIZES', value: '{"small":1}' },
    ]);
    expect(context.rights).toEqual(['MAP_VIEW']);
    expect(JSON.stringify(context)).not.toContain('ada@');
    // Failures of sending a report are not what the report is about.
    expect(associatedEventId).toBe('a'.repeat(32));
    expect(sentAlong(read('https://portico.test/'), [])).not.toHaveProperty('associatedEventId');
  });

  it('BUG-7: without the single steps that the person leaves out, also where one is repeated later', () => {
    const [opened, pressed] = crumbs;
    const leftOut = [opened, pressed].flatMap((crumb) => (crumb === undefined ? [] : [breadcrumbKey(crumb)]));
    const later = crumbs.map((crumb) => (crumb.kind === 'click' ? { ...crumb, count: 3 } : crumb));
    const { context } = sentAlong(read('https://portico.test/', { breadcrumbs: later }), [], leftOut);
    expect(context.breadcrumbs).toEqual(crumbs.slice(2));
    const keys = crumbs.map((crumb) => breadcrumbKey(crumb));
    expect(sentAlong(read('https://portico.test/', full), [], keys).context).not.toHaveProperty(
      'breadcrumbs',
    );
  });

  it('BUG-7: what is too much for the contract is left out, flags first and the newest error last', () => {
    const code = 'C'.repeat(64);
    const errors = Array.from({ length: 30 }, (_, index) => ({
      ...recorded(`what-${index}`, 'a'),
      screen: 's'.repeat(200),
      script: 's'.repeat(200),
      code,
    }));
    const breadcrumbs = Array.from({ length: 60 }, (): Breadcrumb => ({
      kind: 'call',
      at: 800,
      call: 'c'.repeat(200),
      code,
    }));
    const flags = Array.from({ length: 300 }, (_, index) => ({
      key: `FLAG_${index}`,
      value: 'v'.repeat(300),
    }));
    const rights = Array.from({ length: 300 }, (_, index) => `RIGHT_${index}_${'R'.repeat(50)}`);
    const { context } = sentAlong(read('https://portico.test/', { errors, breadcrumbs, flags, rights }), []);
    expect(reportContext.safeParse(context).success).toBe(true);
    expect(context.errors?.map(({ what }) => what)).toEqual(
      Array.from({ length: 20 }, (_, index) => `what-${index + 10}`),
    );
    expect(context.flags?.[0]?.value ?? 'v'.repeat(100)).toBe('v'.repeat(100));
  });

  it('BUG-7: what would not fit is cut off', () => {
    const { url } = sentAlong(read(`https://portico.test/?${'x'.repeat(5_000)}`), []);
    expect(url).toHaveLength(2048);
  });
});
