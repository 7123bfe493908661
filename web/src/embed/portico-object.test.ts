import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { SessionState } from '../platform/contexts.tsx';
import { createStore } from '../platform/state/store.ts';
import type { EmbedPage } from './page.ts';
import { openStatus } from '#features/maintenance/contract/testing/open-status.ts';
import type * as ShippedHooks from './portico-react.d.ts';
import { createPorticoObject } from './portico-object.ts';
import * as hooks from './react-hooks.ts';

const mia = {
  id: 'mia',
  email: 'mia@example.org',
  firstName: 'Mia',
  lastName: '',
  language: 'de',
  timeZone: null,
};
const status = { ...openStatus, changedAt: 5, serverTime: 5 };

function createPage() {
  const session = createStore<SessionState>({ status: 'starting' });
  const fresh = createStore(false);
  const user = createStore<typeof mia | null>(null);
  const rights = createStore<readonly string[]>([]);
  const flags = createStore<Record<string, unknown>>({});
  const maintenance = createStore(status);
  const unsaved = createStore(0);
  const can = (right: string) => rights.get().includes(right);
  const bearer = { token: () => Promise.resolve('t') };
  const page = {
    session: { state: session, bearer, signIn() {}, signOut: () => Promise.resolve() },
    embedStatus: { fresh },
    user,
    rights,
    flags,
    maintenance,
    unsaved,
    can,
  } as unknown as EmbedPage;
  const portico = createPorticoObject(page, {
    translation: createStore({ i18n: { language: 'en' } }),
    beforeMaintenance: () => () => {},
    report: () => Promise.resolve(),
  });
  return { portico, session, fresh, user, rights, flags, maintenance, unsaved };
}

/** The names that an interface of `portico.d.ts` declares. */
function declared(name: string): Set<string> {
  const text = readFileSync(`${import.meta.dirname}/portico.d.ts`, 'utf8');
  const body = new RegExp(`export interface ${name} \\{\\n(.*?)\\n\\}`, 's').exec(text)?.[1] ?? '';
  return new Set([...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[(<:]/gm)].map(([, member = '']) => member));
}

it('GATE-3: portico.d.ts declares what window.portico has, no more and no less', async () => {
  const { portico, fresh, user, maintenance, session } = createPage();
  user.set(mia);
  session.set({ status: 'signed-out', reason: 'idle' });
  fresh.set(true);
  expect(declared('Portico')).toEqual(new Set(Object.keys(portico)));
  expect(declared('PorticoUser')).toEqual(new Set(Object.keys(portico.user ?? {})));
  expect(declared('PorticoSession')).toEqual(new Set(Object.keys(portico.session)));
  expect(declared('PorticoMaintenance')).toEqual(new Set(Object.keys(portico.maintenance)));
  expect(portico.user?.name).toBe('Mia');
  maintenance.set({ ...status, text: 'Soon' });
  expect(portico.maintenance.text).toBe('Soon');
  expect(await portico.ready).toBe(portico);
});

it('GATE-3: portico.on reports each event that portico.d.ts declares, with what it declares', async () => {
  const { portico, session, fresh, user, rights, flags, maintenance } = createPage();
  const heard: [name: string, given: unknown][] = [];
  for (const name of ['ready', 'user', 'session', 'rights', 'flags', 'maintenance'] as const)
    portico.on(name, (given) => heard.push([name, given]));
  expect(declared('PorticoEvents')).toEqual(
    new Set(['ready', 'user', 'session', 'rights', 'flags', 'maintenance']),
  );
  fresh.set(true);
  await portico.ready;
  user.set(mia);
  session.set({ status: 'signed-in', personId: 'mia' });
  rights.set(['ORDERS_CHANGE']);
  flags.set({ COLOUR: 'blue' });
  maintenance.set({ ...status, text: 'Soon' });
  expect(heard).toEqual([
    ['ready', portico],
    ['user', { ...mia, name: 'Mia' }],
    ['session', { status: 'signed-in', reason: null }],
    ['rights', ['ORDERS_CHANGE']],
    ['flags', { COLOUR: 'blue' }],
    ['maintenance', expect.objectContaining({ mode: 'off', text: 'Soon' })],
  ]);
  expect(portico.can('ORDERS_CHANGE')).toBe(true);
  expect(['COLOUR', 'SIZE', 'constructor'].map((key) => portico.flag(key, 'grey'))).toEqual([
    'blue',
    'grey',
    'grey',
  ]);
});

it('MAINT-7: an application says in how many places of its page something is not saved', () => {
  const { portico, unsaved } = createPage();
  const form = {};
  portico.unsaved(true);
  portico.unsaved(true);
  portico.unsaved(true, form);
  expect(unsaved.get()).toBe(2);
  portico.unsaved(false);
  portico.unsaved(false, 'another form');
  expect(unsaved.get()).toBe(1);
  portico.unsaved(false, form);
  expect(unsaved.get()).toBe(0);
});

it('GATE-3: portico-react.d.ts declares the hooks as they are', () => {
  // Both directions: checked by the compiler.
  const shipped: typeof ShippedHooks = hooks;
  const own: typeof hooks = shipped;
  const text = readFileSync(`${import.meta.dirname}/portico-react.d.ts`, 'utf8');
  const names = [...text.matchAll(/export declare function (\w+)/g)].map(([, name = '']) => name);
  expect(new Set(names)).toEqual(new Set(Object.keys(own)));
});
