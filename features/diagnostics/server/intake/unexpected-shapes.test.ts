import type { ErrorEvent } from '#features/diagnostics/contract/diagnostics.ts';
import { describe, expect, it } from 'vitest';
import { startApp } from '#server/testing/app.ts';
import { envelopeOf, newEventId, ownProjectKey, sendEnvelope } from '#server/testing/envelopes.ts';
import { addToken } from '#server/testing/people.ts';

type Sent = Record<string, unknown>;

const exception = (value: unknown) => ({ exception: { values: [value] } });
const crumb = (value: unknown) => ({ message: 'm', breadcrumbs: [value] });

/** What was sent, and the part of its sample that shows it. */
const shapes: [what: string, event: Sent, shown: unknown][] = [
  [
    'an object as the value of an exception',
    exception({ type: 'E', value: { code: 5, password: 'hunter2hunter2' } }),
    { errors: [{ kind: 'E', message: '{"code":5,"password":"[Filtered]"}' }] },
  ],
  ['a number as a value', exception({ type: 'E', value: 0 }), { errors: [{ message: '0' }] }],
  ['false as a value', exception({ type: 'E', value: false }), { errors: [{ message: 'false' }] }],
  ['a list as a value', exception({ value: [1, { a: 'b' }] }), { errors: [{ message: '[1,{"a":"b"}]' }] }],
  ['an object as a type', exception({ type: { n: 'E' }, value: 'v' }), { errors: [{ kind: '{"n":"E"}' }] }],
  ['an exception as text', { exception: 'It broke' }, { errors: [{ message: 'It broke' }] }],
  [
    'an error as its language writes it',
    { exception: { name: 'TypeError', message: 'late', token: 'hunter2' } },
    { errors: [{ message: '{"name":"TypeError","message":"late","token":"[Filtered]"}' }] },
  ],
  [
    'a logger and a server',
    { message: 'm', logger: { n: 1 }, server_name: ['a'] },
    {
      tags: [
        { name: 'logger', value: '{"n":1}' },
        { name: 'server_name', value: '["a"]' },
      ],
    },
  ],
  [
    'other fields of a step',
    crumb({ message: 's', data: 7, url: '/x', password: 'hunter2' }),
    {
      breadcrumbs: [
        {
          message: 's',
          data: [
            { name: 'data', value: '7' },
            { name: 'url', value: '/x' },
            { name: 'password', value: '[Filtered]' },
          ],
        },
      ],
    },
  ],
  ['exceptions as texts', { exception: { values: ['It broke'] } }, { errors: [{ message: 'It broke' }] }],
  [
    'one exception without a list',
    { exception: { type: 'E', value: 'v' } },
    { errors: [{ kind: 'E', message: 'v' }] },
  ],
  ['a bare list', { exception: [{ type: 'E', value: 'v' }] }, { errors: [{ kind: 'E', message: 'v' }] }],
  [
    'one exception as values',
    { exception: { values: { type: 'E', value: 'v' } } },
    { errors: [{ kind: 'E', message: 'v' }] },
  ],
  [
    'a list with gaps, as PHP writes it',
    { exception: { values: { 0: { type: 'A' }, 2: { type: 'B' } } } },
    { errors: [{ kind: 'B' }, { kind: 'A' }] },
  ],
  [
    'the names of protocol 5',
    { 'sentry.interfaces.Exception': [{ type: 'E', value: 'v' }] },
    { errors: [{ kind: 'E', message: 'v' }] },
  ],
  [
    'a stack without its object',
    exception({ type: 'E', stacktrace: [{ filename: 'a.py', lineno: '7', vars: 'all' }] }),
    { errors: [{ frames: [{ file: 'a.py', line: 7, variables: [{ name: 'value', value: 'all' }] }] }] },
  ],
  [
    'a stack as text',
    exception({ type: 'E', stacktrace: 'at a (a.js:1)\nat b (b.js:2)' }),
    { errors: [{ frames: [{ function: 'at a (a.js:1)' }, { function: 'at b (b.js:2)' }] }] },
  ],
  [
    'variables that are objects and lists',
    exception({ type: 'E', stacktrace: { frames: [{ module: 'm', vars: { o: { token: 'x1', b: [1] } } }] } }),
    { errors: [{ frames: [{ variables: [{ name: 'o', value: '{"token":"[Filtered]","b":[1]}' }] }] }] },
  ],
  [
    'frames as texts, and a line around them as text',
    exception({
      type: 'E',
      stacktrace: { frames: ['at a', { filename: 'b.js', lineno: 2, context_line: 'x', pre_context: 'w' }] },
    }),
    {
      errors: [
        {
          frames: [
            {
              file: 'b.js',
              context: [
                { line: 1, text: 'w' },
                { line: 2, text: 'x' },
              ],
            },
            { function: 'at a' },
          ],
        },
      ],
    },
  ],
  [
    'a mechanism as text',
    exception({ type: 'E', mechanism: 'onerror' }),
    { errors: [{ mechanism: 'onerror' }] },
  ],
  [
    'the stack of a thread',
    { message: 'm', threads: { values: [{ id: 1, stacktrace: { frames: [{ filename: 'a.rb' }] } }] } },
    { errors: [{ kind: 'Message', message: 'm', frames: [{ file: 'a.rb' }] }] },
  ],
  [
    'a message with an exception',
    { logentry: { message: 'Order %s', params: [7] }, ...exception({ type: 'E', value: 'v' }) },
    { message: 'Order 7', errors: [{ message: 'v' }] },
  ],

  ['a number as message', { message: 42 }, { message: '42' }],
  ['an object as message', { message: { a: 1 } }, { message: '{"a":1}' }],
  ['a list as message', { message: ['a', { b: 1 }] }, { message: '["a",{"b":1}]' }],
  ['a log entry as text', { logentry: 'late' }, { message: 'late' }],
  ['an empty text that was formatted', { logentry: { formatted: '', message: 'late' } }, { message: 'late' }],
  [
    '%s and %d of Python',
    { logentry: { message: '%s: %5.2f%%', params: ['a', 3.5] } },
    { message: 'a: 3.5%' },
  ],
  [
    'names of Python',
    { logentry: { message: '%(who)s by %(n)d', params: { who: 'Ada', n: 3 } } },
    { message: 'Ada by 3' },
  ],
  [
    'names in a list of one object',
    { logentry: { message: '%(who)s', params: [{ who: 'Ada' }] } },
    { message: 'Ada' },
  ],
  ['{} of Java', { message: { message: '{} of {}', params: ['a', { b: 1 }] } }, { message: 'a of {"b":1}' }],
  ['{0} of .NET', { logentry: { message: '{1:N2} {0}', params: ['a', 2] } }, { message: '2 a' }],
  [
    'names of Serilog',
    { logentry: { message: 'User {@User} at {Place}', params: [{ id: 1 }, 'x'] } },
    { message: 'User {"id":1} at x' },
  ],
  [
    'names of Monolog',
    { logentry: { message: 'by {who}, {other}', params: { who: 'Ada', left: 2 } } },
    { message: 'by Ada, {other} left=2' },
  ],
  [
    'more parameters than places',
    { logentry: { message: 'late', params: [1, { a: 2 }] } },
    { message: 'late 1 {"a":2}' },
  ],
  ['fewer parameters', { logentry: { message: '%s and %s', params: ['a'] } }, { message: 'a and %s' }],
  ['parameters that are none', { logentry: { message: '%s', params: 'a' } }, { message: 'a' }],
  [
    'secret parameters',
    { logentry: { message: 'x %(password)s password=%(p)s', params: { password: 'hunter2', p: 'hunter2' } } },
    { message: 'x [Filtered] password=[Filtered]' },
  ],
  [
    'the log of protocol 5',
    { 'sentry.interfaces.Message': { message: 'x %s', params: [1] } },
    { message: 'x 1' },
  ],

  ['an object as tag', { message: 'm', tags: { o: { a: 1 } } }, { tags: [{ name: 'o', value: '{"a":1}' }] }],
  ['a list as tag', { message: 'm', tags: { o: [1, 'b'] } }, { tags: [{ name: 'o', value: '[1,"b"]' }] }],
  ['tags in pairs', { message: 'm', tags: [['o', { a: 1 }]] }, { tags: [{ name: 'o', value: '{"a":1}' }] }],
  [
    'tags as objects',
    {
      message: 'm',
      tags: [
        { key: 'a', value: 1 },
        { key: 'api_key', value: 'x1' },
      ],
    },
    {
      tags: [
        { name: 'a', value: '1' },
        { name: 'api_key', value: '[Filtered]' },
      ],
    },
  ],
  [
    'tags as texts',
    { message: 'm', tags: ['a', 'b'] },
    {
      tags: [
        { name: '0', value: 'a' },
        { name: '1', value: 'b' },
      ],
    },
  ],
  ['tags as one text', { message: 'm', tags: 'a' }, { tags: [{ name: 'value', value: 'a' }] }],

  ['an object as message of a step', crumb({ message: { a: 1 } }), { breadcrumbs: [{ message: '{"a":1}' }] }],
  [
    'parameters in a step',
    crumb({ message: { message: 'x %s', params: [1] } }),
    { breadcrumbs: [{ message: 'x 1' }] },
  ],
  ['a step as text', crumb('clicked'), { breadcrumbs: [{ message: 'clicked' }] }],
  [
    'data of a step as text',
    crumb({ data: 'd' }),
    { breadcrumbs: [{ data: [{ name: 'value', value: 'd' }] }] },
  ],
  [
    'data of a step as list',
    crumb({ data: [7, { a: 1 }] }),
    {
      breadcrumbs: [
        {
          data: [
            { name: '0', value: '7' },
            { name: '1', value: '{"a":1}' },
          ],
        },
      ],
    },
  ],
  [
    'steps in values',
    { message: 'm', breadcrumbs: { values: [{ message: 's' }] } },
    { breadcrumbs: [{ message: 's' }] },
  ],
  ['one step', { message: 'm', breadcrumbs: { message: 's' } }, { breadcrumbs: [{ message: 's' }] }],
  ['a number as category', crumb({ category: 7 }), { breadcrumbs: [{ category: '7' }] }],
  [
    'times of steps in milliseconds and as text',
    {
      message: 'm',
      breadcrumbs: [
        { timestamp: 1_764_000_000_123 },
        { timestamp: '1764000000.5' },
        { timestamp: '2025-11-24T16:00:00.250000' },
      ],
    },
    { breadcrumbs: [{ at: 1_764_000_000_123 }, { at: 1_764_000_000_500 }, { at: 1_764_000_000_250 }] },
  ],

  ['further data as text', { message: 'm', extra: 'x' }, { extra: [{ name: 'value', value: 'x' }] }],
  [
    'further data as list',
    { message: 'm', extra: ['x', 2] },
    {
      extra: [
        { name: '0', value: 'x' },
        { name: '1', value: '2' },
      ],
    },
  ],
  [
    'pairs with a secret',
    {
      message: 'm',
      extra: {
        a: [
          ['password', 'hunter2'],
          ['b', 1],
        ],
      },
    },
    { extra: [{ name: 'a', value: '[["password","[Filtered]"],["b",1]]' }] },
  ],
  [
    'a number that a double cannot hold',
    { message: 'm', extra: { id: 1 }, tags: { id: 2 } },
    {
      extra: [{ name: 'id', value: '12345678901234567891' }],
      tags: [{ name: 'id', value: '-98765432109876543210' }],
    },
  ],
  [
    'contexts that are no objects',
    { message: 'm', contexts: { a: 'x', b: [1], c: 3 } },
    {
      contexts: [
        { name: 'a', fields: [{ name: 'value', value: 'x' }] },
        { name: 'b', fields: [{ name: '0', value: '1' }] },
        { name: 'c', fields: [{ name: 'value', value: '3' }] },
      ],
    },
  ],
  ['contexts as text', { message: 'm', contexts: 'x' }, { contexts: [{ fields: [{ value: 'x' }] }] }],
  ['a request as text', { message: 'm', request: '/cart' }, { request: { url: '/cart' } }],
  [
    'a request without an address',
    { message: 'm', request: { method: 'GET', headers: { Accept: ['a', 'b'] } } },
    { request: { url: '', method: 'GET', headers: [{ name: 'Accept', value: '["a","b"]' }] } },
  ],
  [
    'a query apart from its address',
    {
      message: 'm',
      request: {
        url: 'https://a.test/x',
        query_string: [
          ['a', '1'],
          ['token', 'hunter2'],
        ],
      },
    },
    { request: { url: 'https://a.test/x?a=1&token=[Filtered]' } },
  ],
  [
    'a query as object',
    { message: 'm', request: { url: 'https://a.test/x', query_string: { a: ['1', '2'] } } },
    { request: { url: 'https://a.test/x?a=["1","2"]' } },
  ],
  [
    'headers as text',
    { message: 'm', request: { headers: 'Host: a:8080\r\nCookie: a=hunter2; b=hunter2' } },
    { request: { headers: [{ name: 'Host', value: 'a:8080' }] } },
  ],
  ['a transaction as object', { message: 'm', transaction: { name: 't' } }, { transaction: '{"name":"t"}' }],
  ['an SDK as text', { message: 'm', sdk: 'mine/1' }, { sdk: 'mine/1' }],
  ['a number as platform', { message: 'm', platform: 7 }, { platform: '7' }],
  ['a level of Python', { message: 'm', level: 30 }, { level: 'warning' }],
  ['a level in capitals', { message: 'm', level: 'WARN' }, { level: 'warning' }],
  ['a level of syslog', { message: 'm', level: 'critical' }, { level: 'fatal' }],
  ['an unknown level', { message: 'm', level: { a: 1 } }, { level: 'error' }],
  [
    'a time in milliseconds',
    { message: 'm', timestamp: 1_764_000_000_123 },
    { happenedAt: 1_764_000_000_123 },
  ],
  [
    'a time without a zone',
    { message: 'm', timestamp: '2025-11-24T16:00:00' },
    { happenedAt: 1_764_000_000_000 },
  ],
];

describe('an event of an unexpected shape', () => {
  it('DIAG-2: is shown as text, with its parameters, and without secrets', async () => {
    const app = await startApp({ engine: 'sqlite' });
    const key = await ownProjectKey(app);
    const authorization = `Bearer ${await addToken(app, { rights: ['DIAGNOSTICS_READ'] })}`;
    const read = async (path: string): Promise<unknown> =>
      (await fetch(app.url + path, { headers: { authorization } })).json();
    for (const [what, event, shown] of shapes) {
      const id = newEventId();
      const envelope = envelopeOf({ event_id: id }, [
        // Each is an error of its own, so that its sample is stored.
        { header: { type: 'event' }, payload: { event_id: id, fingerprint: what, ...event } },
      ]);
      const exact = envelope
        .toString()
        .replace('"extra":{"id":1}', '"extra":{"id":12345678901234567891}')
        .replace('"tags":{"id":2}', '"tags":{"id":-98765432109876543210}');
      expect([what, (await sendEnvelope(app.url, key, exact)).status]).toEqual([what, 200]);
      const { errors } = (await read(`/v1/diagnostics/errors?search=${id}`)) as { errors: { id: string }[] };
      const full = (await read(`/v1/diagnostics/errors/${errors[0]?.id}/events/${id}`)) as ErrorEvent;
      expect({ what, sample: full.sample }).toMatchObject({ what, sample: shown });
      expect([what, JSON.stringify(full).includes('hunter2')]).toEqual([what, false]);
    }
  });
});
