import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorEvent } from '#server/testing/envelopes.ts';
import { groupingOf, templateOf } from './grouping.ts';
import { placeOf, stableFile } from './place.ts';
import { compareReleases, isBack } from './release-order.ts';

const exception = (value: Record<string, unknown>) => ({ exception: { values: [value] } });
const fingerprint = (event: Record<string, unknown>, project = 1) => groupingOf(project, event).fingerprint;

describe('the template of a message', () => {
  it.each([
    ['Order 4711 is late', 'Order <n> is late'],
    ['Timeout of 3000ms after 2.5e3 tries', 'Timeout of <n>ms after <n> tries'],
    ['No user 0f8fad5b-d9cb-469f-a165-70867728950e', 'No user <id>'],
    ['commit 9fceb02d0ae598e95dc970b74767f19372d61af8', 'commit <id>'],
    ['at 0xDEADBEEF', 'at <id>'],
    ["Cannot read 'name' of “x”", 'Cannot read <text> of <text>'],
    ["It isn't there, isn't it", "It isn't there, isn't it"],
    ['GET https://shop.example.org/a?b=1 failed', 'GET <url> failed'],
    ['ENOENT: no such file /srv/app/a.txt', 'ENOENT: no such file <path>'],
    [String.raw`cannot open C:\data\a.txt`, 'cannot open <path>'],
    ['mail to mia.k@example.org bounced', 'mail to <email> bounced'],
    ['since 2026-11-23T09:00:00Z', 'since <time>'],
    ['Cannot read properties of undefined', 'Cannot read properties of undefined'],
  ])('DIAG-2: of %j is %j', (message, template) => {
    expect(templateOf(message)).toBe(template);
  });

  it('DIAG-2: does not depend on the numbers, ids and quoted texts in it', () => {
    const variable = fc.oneof(
      fc.nat().map(String),
      fc.uuid(),
      fc.stringMatching(/^[a-z ]{0,20}$/).map((text) => `"${text}"`),
    );
    fc.assert(
      fc.property(variable, variable, variable, (one, other, third) => {
        const message = (value: string) => `Item ${value} of the list is gone`;
        const templates = [one, other, third].map((value) => templateOf(message(value)));
        for (const template of templates)
          expect(template).toMatch(/^Item (<n>|<id>|<text>) of the list is gone$/);
      }),
    );
  });

  it('DIAG-2: takes bounded time for any text', () => {
    const hostile = ['"', '/a', 'a@', 'a.', '0x', '1.', 'http://', "'", '\\', 'aB1'].map((part) =>
      part.repeat(5_000),
    );
    const { user } = process.cpuUsage();
    for (const text of hostile) templateOf(text);
    expect(process.cpuUsage().user - user).toBeLessThan(2_000_000);
  });
});

describe('the place of an error', () => {
  it.each([
    ['https://a.example.org/assets/main-1a2b3c.js?v=2#x', 'assets/main.js'],
    ['https://a.example.org/assets/index-BzX9_a1Q.js', 'assets/index.js'],
    ['https://a.example.org/static/js/main.8f7e6d5c.chunk.js', 'static/js/main.chunk.js'],
    ['https://a.example.org/1a2b3c4d5e.js', '*.js'],
    ['webpack://shop/./src/settings-dialog.tsx', 'src/settings-dialog.tsx'],
    ['app:///report-list.js', 'report-list.js'],
    ['/srv/releases/20261123101500/dist/server.js', '*/dist/server.js'],
    [String.raw`C:\app\src\Checkout.ts`, 'app/src/Checkout.ts'],
    ['node:internal/process/task_queues', 'node:internal/process/task_queues'],
    ['https://a.example.org/assets/useGroups2.js', 'assets/useGroups2.js'],
  ])('DIAG-2: of %j is %j, in every build', (file, stable) => {
    expect(stableFile(file)).toBe(stable);
  });

  it('DIAG-2: is found in bounded time, whatever a file is called', () => {
    const { user } = process.cpuUsage();
    // Small letters with too many digits behind them: no name of a person's, and once hours of work.
    expect(stableFile(`https://example.org/${'z'.repeat(31)}1111.js`)).toBe('*.js');
    expect(process.cpuUsage().user - user).toBeLessThan(2_000_000);
  });

  it("DIAG-2: is the top frame of the application's own code", () => {
    const frames = [
      { filename: '/srv/app/main.js', function: 'start' },
      { filename: '/srv/app/cart.js', function: 'async Cart.load' },
      { filename: '/srv/app/node_modules/pg/lib/client.js', function: 'query' },
      { filename: 'node:internal/timers', function: 'run' },
    ];
    expect(placeOf({ frames })).toBe('srv/app/cart.js · Cart.load');
    expect(placeOf({ frames: frames.map((frame, at) => ({ ...frame, in_app: at === 0 })) })).toBe(
      'srv/app/main.js · start',
    );
    expect(placeOf({ frames: frames.slice(3) })).toBe('node:internal/timers · run');
    expect(placeOf(undefined)).toBe('');
  });
});

describe('the group of an event', () => {
  it('DIAG-2: is that of kind, place and template, in its project', () => {
    const event = errorEvent();
    expect(fingerprint(errorEvent({ release: 'other', user: { id: 1 } }))).toBe(fingerprint(event));
    expect(fingerprint(event, 2)).not.toBe(fingerprint(event));
    expect(fingerprint(exception({ type: 'RangeError', value: 'a' }))).not.toBe(
      fingerprint(exception({ type: 'TypeError', value: 'a' })),
    );
    expect(fingerprint(exception({ type: 'E', value: 'a' }))).not.toBe(
      fingerprint(exception({ type: 'E', value: 'b' })),
    );
  });

  it('DIAG-2: is named by the outermost exception, which is the last, at the place of the last stack', () => {
    const stacktrace = { frames: [{ filename: '/a/db.js', function: 'query' }] };
    const values = [
      { type: 'SyntaxError', value: 'near x', stacktrace },
      { type: 'LoadError', value: 'cannot load' },
    ];
    expect(groupingOf(1, { exception: { values } })).toMatchObject({
      kind: 'LoadError',
      message: 'cannot load',
      place: 'a/db.js · query',
    });
  });

  it("DIAG-2: follows the SDK's own fingerprint, also together with the usual one", () => {
    const [one, other] = [errorEvent(), errorEvent(exception({ type: 'Other', value: 'x' }))];
    const own = { fingerprint: ['checkout'] };
    expect(fingerprint({ ...one, ...own })).toBe(fingerprint({ ...other, ...own }));
    const usual = { fingerprint: ['{{ default }}'] };
    expect(fingerprint({ ...one, ...usual })).toBe(fingerprint(one));
    const added = { fingerprint: ['{{ default }}', 'eu'] };
    expect(fingerprint({ ...one, ...added })).not.toBe(fingerprint(one));
    expect(fingerprint({ ...one, fingerprint: ['{{ error.type }}'] })).not.toBe(
      fingerprint({ ...other, fingerprint: ['{{ error.type }}'] }),
    );
  });

  it('DIAG-2: of a message is its template, as the SDK sends it or as it is found', () => {
    const entry = (params: string[]) => ({
      logentry: { message: 'Hello %s', params, formatted: `Hello ${params.join(' ')}` },
    });
    expect(fingerprint(entry(['Ada']))).toBe(fingerprint(entry(['Mia'])));
    expect(groupingOf(1, entry(['Ada']))).toMatchObject({ kind: 'Message', message: 'Hello Ada' });
    expect(groupingOf(1, {})).toMatchObject({ kind: 'Message', message: 'No message', place: '' });
  });

  it('DIAG-2: is found for whatever is sent, with one line of bounded length', () => {
    fc.assert(
      fc.property(
        fc.object({
          key: fc.constantFrom(
            'exception',
            'values',
            'type',
            'value',
            'stacktrace',
            'frames',
            'filename',
            'message',
            'fingerprint',
            'logentry',
            'threads',
          ),
          maxDepth: 5,
        }),
        (event) => {
          const { kind, message, place, fingerprint: hash } = groupingOf(1, event);
          expect(hash).toMatch(/^[\w-]{43}$/);
          expect([kind.length > 0, kind.length <= 100, message.length <= 1_010, place.length <= 800]).toEqual(
            [true, true, true, true],
          );
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('releases', () => {
  it.each([
    ['1.2.3', '1.10.0', -1],
    ['shop@2.0.0', 'shop@1.9.9', 1],
    ['1.0.0-beta.2', '1.0.0-beta.11', -1],
    ['1.0.0-beta', '1.0.0', -1],
    ['1.0.0-1', '1.0.0-alpha', -1],
    ['v1.0.0', '1.0.0+build', 0],
    ['shop@1.0.0', 'till@2.0.0', null],
    ['main-4f', '1.0.0', null],
  ])('DIAG-2: %j and %j are in order %j', (one, other, order) => {
    const found = compareReleases(one, other);
    expect(found === null ? null : Math.sign(found)).toBe(order);
  });
});

it.each([
  [null, null, true],
  [null, '1.0.0', true],
  ['2.0.0', null, false],
  ['2.0.0', '2.0.0', false],
  ['2.0.0', '1.9.0', false],
  ['2.0.0', '2.0.1', true],
  ['blue', 'green', false],
  ['green', 'blue', true],
  ['green', 'unknown', true],
])('DIAG-2: an error resolved in %s is back with an event of %s: %s', (resolvedIn, release, expected) => {
  const seen = new Map([
    ['green', 1],
    ['blue', 2],
  ]);
  const back = isBack({ at: 0, in: resolvedIn }, release, (each) => seen.get(each) ?? null);
  expect(back).toBe(expected);
});
