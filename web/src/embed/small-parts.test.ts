import catalogues from 'virtual:all-texts/COMMON+FEEDBACK+MAINTENANCE.BANNER+MAINTENANCE.RIBBON+MAINTENANCE.SAVE+PAGES+RECORD+RIGHTS+SHELL';
import { serverEvent } from '#features/events/contract/events.ts';
import { getEmbed } from '#features/embed/contract/embed.ts';
import { maintenanceStatus } from '#features/maintenance/contract/maintenance.ts';
import { problem } from '#contract/problem.ts';
import { emailAddress } from '#contract/email-address.ts';
import { createParser } from 'eventsource-parser';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Catalogue } from '../platform/i18n/i18n.ts';
import { createTexts } from '../platform/i18n/i18n.ts';
import { createParser as createSmallParser } from './small-event-parser.ts';
import { createEmbedTexts, createTranslation } from './texts.ts';

const status = {
  mode: 'off',
  text: '',
  severity: 'INFO',
  expectedEnd: null,
  since: null,
  upcoming: null,
  returnWithin: 0,
  changedAt: 5,
  serverTime: 5,
  more: 1,
};
const answer = {
  user: { id: 'mia', email: 'm', firstName: '', lastName: '', language: null, timeZone: null },
  token: { accessToken: 't', expiresAt: 1, serverTime: 1 },
  rights: ['A'],
  rightLabels: { A: 'a' },
  flags: { F: { any: [1] } },
  maintenance: status,
  branding: { product: 'P', css: null },
  provider: null,
  reports: true,
  eventId: '1',
  language: 'en',
  release: '1',
};
const values: unknown[] = [
  null,
  'text',
  ' Mia@Example.org ',
  'no address',
  status,
  { ...status, changedAt: -1 },
  { ...status, mode: 'maybe' },
  answer,
  { ...answer, user: null, token: null },
  { ...answer, rights: [1] },
  { ...answer, rightLabels: { A: 1 } },
  { type: 'hello', connectionId: 'c1', more: 1 },
  { type: 'hello', connectionId: '' },
  { type: 'rights', within: 5 },
  { type: 'rights', within: 'soon' },
  { type: 'changed', list: null, within: 0 },
  { type: 'maintenance', status },
  { type: 'session-ended', reason: 'idle' },
  { type: 'weather' },
  {
    type: 'p',
    title: 't',
    status: 404,
    code: 'NOT_FOUND',
    errors: [{ pointer: '/a', code: 'c', message: 'm' }],
  },
  { type: 'p', title: 't', status: 404, code: 'NOT_FOUND', errors: [{}] },
];
const own = { maintenanceStatus, answer: getEmbed.answer, serverEvent, problem, emailAddress };

describe('what stands for libraries in portico.js', () => {
  it('GATE-3: the small schemas read what the real ones read, and refuse what they refuse', async () => {
    vi.resetModules();
    vi.doMock('zod/mini', () => import('./small-schemas.ts'));
    // The next test files of this worker share the loaded modules, and need the real schemas.
    onTestFinished(() => {
      vi.doUnmock('zod/mini');
      vi.resetModules();
    });
    const small = {
      maintenanceStatus: (await import('#features/maintenance/contract/maintenance.ts')).maintenanceStatus,
      answer: (await import('#features/embed/contract/embed.ts')).getEmbed.answer,
      serverEvent: (await import('#features/events/contract/events.ts')).serverEvent,
      problem: (await import('#contract/problem.ts')).problem,
      emailAddress: (await import('#contract/email-address.ts')).emailAddress,
    };
    for (const name of Object.keys(own) as (keyof typeof own)[]) {
      expect(small[name]).not.toBe(own[name]);
      for (const value of values)
        expect([name, value, small[name].safeParse(value).data]).toEqual([
          name,
          value,
          own[name].safeParse(value).data,
        ]);
    }
  });

  it.each([1, 2, 3, 7, 1_000])(
    'GATE-3: the small parser reads a stream, cut every %i characters, as the real one',
    (size) => {
      const stream =
        '\uFEFFretry: 250\n\n: beat\n\nevent: a\r\nid: 1\r\ndata: {"x":\r\ndata: 2}\r\n\r\ndata:no space\rid: 2\r\rdata\n\nid: 3\n\nevent: lost\n\nretry: soon\nodd: 1\ndata: end\n\ndata: unfinished';
      const read = (create: typeof createParser) => {
        const seen: unknown[] = [];
        const parser = create({
          maxBufferSize: 1_000,
          onEvent: ({ event, data }) => seen.push(['event', event, data]),
          onId: (id) => seen.push(['id', id]),
          onRetry: (milliseconds) => seen.push(['retry', milliseconds]),
          onError: () => {},
        });
        for (let at = 0; at < stream.length; at += size) parser.feed(stream.slice(at, at + size));
        return seen;
      };
      const all = read(createSmallParser as unknown as typeof createParser);
      expect(all).toEqual(read(createParser));
      expect(all.length).toBeGreaterThan(5);
    },
  );

  it.each(['en', 'de', 'fr'] as const)(
    'LOOK-3: the small translation shows the texts of i18next in %s',
    async (language) => {
      const catalogue = catalogues[language];
      const texts = createTexts(
        () => Promise.resolve(catalogue),
        () => Promise.reject(new Error('none')),
      );
      vi.stubGlobal('document', { documentElement: {} });
      await texts.show(language);
      vi.unstubAllGlobals();
      const { t } = createTranslation(language, catalogue);
      const keys = keysOf(catalogue).map((key) => key.replace(/_(?:one|other|many)$/, ''));
      expect(keys.length).toBeGreaterThan(150);
      const names = [...JSON.stringify(catalogue).matchAll(/\{\{\s*(\w+)/g)].map(([, name = '']) => name);
      const filled = Object.fromEntries(names.map((name) => [name, `<${name}>`]));
      for (const key of keys)
        for (const count of [0, 1, 2])
          expect(t(key, { ...filled, count })).toBe(texts.i18n.t(key, { ...filled, count }));
    },
  );

  it('GATE-3: a language whose download has failed is downloaded again', async () => {
    const { show, add, translation } = createEmbedTexts({ en: {}, de: {}, fr: {} }, 'en');
    const load = vi.fn<(language: string) => Promise<{ A: string }>>((language) =>
      Promise.resolve({ A: language }),
    );
    await add(load);
    load.mockRejectedValueOnce(new TypeError('offline'));
    await expect(show('de')).rejects.toThrow('offline');
    await show('de');
    expect(translation.get().t('A')).toBe('de');
  });
});

function keysOf(catalogue: Catalogue, before = ''): string[] {
  return Object.entries(catalogue).flatMap(([key, value]) =>
    typeof value === 'string' ? [before + key] : keysOf(value, `${before}${key}.`),
  );
}
