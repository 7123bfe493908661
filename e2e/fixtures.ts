import { test as base, expect, type BrowserContext, type Locator, type Page } from '@playwright/test';
import type { Project } from '#features/diagnostics/contract/projects.ts';
import { builtInRoles } from '#features/permissions/contract/permissions.ts';
import type { Person } from '#features/people/contract/people.ts';
import type { Flag, FlagDraft } from '#features/flags/contract/flags.ts';
import type { Profile } from '#features/profile/contract/profile.ts';
import type { MaintenanceSettings } from '#features/maintenance/contract/settings.ts';
import type { MaintenanceWindow } from '#features/maintenance/contract/windows.ts';
import { newFlag } from '#features/flags/server/testing/new-flag.ts';
import { claimed, operator, startInstallation, type Installation } from './installation.ts';

export { expect };

export type Account = { id: string; email: string; password: string; firstName: string };

/** The server's API, for what a test sets up or another person does, without a browser. */
export type Api = {
  /** Creates an open invitation; answers its link. */
  invite(firstName: string, roles?: readonly string[]): Promise<string>;
  /** Creates a person who has accepted an invitation. */
  person(firstName: string, roles: readonly string[]): Promise<Account>;
  setRoles(personId: string, roles: readonly string[]): Promise<void>;
  /** Creates a role of the installation's own. */
  addRole(role: string, rights: readonly string[]): Promise<void>;
  setBlocked(personId: string, blocked: boolean): Promise<void>;
  profile(personId: string): Promise<Profile>;
  setProfile(personId: string, change: Partial<Profile>): Promise<Profile>;
  setMaintenance(
    change: Partial<Pick<MaintenanceSettings, 'mode' | 'text' | 'severity' | 'expectedEnd'>>,
  ): Promise<void>;
  /** The planned windows, or with `over` those that are over, the last first. */
  windows(which?: { over: boolean }): Promise<MaintenanceWindow[]>;
  changeWindow(
    window: MaintenanceWindow,
    change: Partial<Pick<MaintenanceWindow, 'startsAt' | 'endsAt'>>,
  ): Promise<void>;
  createFlag(key: string, change?: Partial<FlagDraft & Pick<Flag, 'enabled'>>): Promise<Flag>;
  switchFlag(key: string, enabled: boolean): Promise<void>;
  /** Changes some of the fields that an operator edits of a flag. */
  changeFlag(key: string, change: Partial<FlagDraft>): Promise<void>;
  deleteFlag(key: string): Promise<void>;
  /** Creates a project that SDKs report to; returns the DSN of its first key. */
  addProject(name: string): Promise<{ id: number; dsn: string }>;
  /** Reads a path in the name of an operator. */
  read<T>(path: string): Promise<T>;
  readFile(path: string): Promise<Buffer>;
};

type Fixtures = {
  /** An installation in which `operator` exists. */
  installation: Installation;
  api: Api;
  /** Starts an installation for this test alone. */
  start: typeof startInstallation;
  /**
   * Signs a person in, in their own browser with the installation as base URL; `operator` is its first person.
   *
   * @param how.at the path of the first screen, opened at once: loading the home screen before it takes a second
   * @param how.before is called with the page before anything is loaded, and is waited for
   */
  signIn: (
    who: Account | 'operator',
    how?: { at?: string; before?: (page: Page) => unknown },
  ) => Promise<Page>;
};

type WorkerFixtures = { shared: Installation };

/** Console errors and violations of the security policy, which fail the test. */
const consoleErrors = new WeakMap<BrowserContext, string[]>();
/** The console errors that the test itself provokes; they may arrive late. */
const allowedErrors = new WeakMap<BrowserContext, RegExp[]>();

export const test = base.extend<Fixtures, WorkerFixtures>({
  shared: [
    async ({ playwright: _playwright }, provide) => {
      const installation = await startInstallation(claimed);
      await provide(installation);
      await installation.stop();
    },
    { scope: 'worker' },
  ],

  installation: ({ shared }, provide) => provide(shared),

  api: async ({ installation }, provide) => {
    const api = createApi(installation);
    await provide(api);
    // Maintenance ends before the next test on this installation.
    await api.setMaintenance({ mode: 'off', text: '', severity: 'HIGH', expectedEnd: null });
  },

  start: async ({ playwright: _playwright }, provide) => {
    const started: Installation[] = [];
    await provide(async (...how) => {
      const installation = await startInstallation(...how);
      started.push(installation);
      return installation;
    });
    for (const installation of started) await installation.stop();
  },

  signIn: async ({ browser, installation }, provide) => {
    const contexts: BrowserContext[] = [];
    await provide(async (who, { at, before } = {}) => {
      const context = await browser.newContext({ baseURL: installation.url });
      contexts.push(context);
      watchConsole(context);
      const page = await context.newPage();
      await before?.(page);
      await signInQuickly(page, installation.url, who === 'operator' ? operator : who, at);
      await expect(page.getByRole('navigation').first()).toBeVisible();
      return page;
    });
    for (const context of contexts) {
      await context.close();
      const expected = allowedErrors.get(context) ?? [];
      const unexpected = (consoleErrors.get(context) ?? []).filter(
        (text) => !expected.some((one) => one.test(text)),
      );
      expect(unexpected, 'errors in the browser console').toEqual([]);
    }
  },
});

export async function fillSignIn(page: Page, account: { email: string; password: string }): Promise<void> {
  await page.getByLabel('Email').fill(account.email);
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Signs in without drawing the page of the sign-in, which has tests of its own: that is faster. */
export async function signInQuickly(
  page: Page,
  url: string,
  { email, password }: Pick<Account, 'email' | 'password'>,
  at = '/',
) {
  const { request } = page.context();
  const form = await request.get(`${url}/auth/login?returnTo=${encodeURIComponent(at)}`, {
    headers: { accept: 'text/html' },
  });
  const answer = await request.post(form.url(), { data: { email, password } });
  expect(answer.ok(), `the sign-in of ${email}`).toBe(true);
  const { next } = (await answer.json()) as { next: string };
  await page.goto(new URL(next, url).href);
}

/** An access token of the person who is signed in on a page, for calls in their name. */
export async function bearerOf(page: Page): Promise<string> {
  const answer = await page.context().request.post(new URL('/auth/token', page.url()).href, {
    headers: { 'x-portico': '1' },
  });
  expect(answer.ok(), 'a token of their session').toBe(true);
  return ((await answer.json()) as { accessToken: string }).accessToken;
}

/** A field of a date or a time: the group of its parts. */
export function dateField(within: Page | Locator, name: string): Locator {
  return within.getByRole('group', { name, exact: true });
}

/** Pastes a date, `2026-11-24` or `2026-11-24T22:00`, into a field for it. */
export async function fillDate(field: Locator, value: string): Promise<void> {
  await field.getByRole('spinbutton').first().focus();
  await field
    .getByRole('spinbutton')
    .first()
    .evaluate((part, text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      part.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, value);
  await expectDate(field, value);
}

/** Expects a date in a field, as a reader of British English sees it. */
export async function expectDate(field: Locator, value: string): Promise<void> {
  const [year, month, day, time] = value.split(/[-T]/);
  const written = `${day}/${month}/${year}${time === undefined ? '' : `, ${time}`}`;
  // The field puts marks around the time that keep its direction.
  await expect(field).toHaveText(new RegExp(`^${written.replace(', ', ',\\s*.?')}.?$`));
}

/** Collects the errors in the browser's console, except refused requests, which the tests provoke. */
export function watchConsole(context: BrowserContext): string[] {
  const errors: string[] = [];
  consoleErrors.set(context, errors);
  context.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' && !/Failed to load resource/.test(text)) errors.push(text);
  });
  context.on('weberror', (error) => errors.push(String(error.error())));
  return errors;
}

/** Fires the event that a browser fires as a page returns from the background. */
export async function comeBack(page: Page): Promise<void> {
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
}

/** Waits for the end of all animations that end, and then for two frames, so that the present colours are drawn. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ending = document.getAnimations().filter(
      ({ effect, timeline }) =>
        // An animation that follows a scroll bar does not end after a time.
        timeline instanceof DocumentTimeline &&
        effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY,
    );
    await Promise.allSettled(ending.map(({ finished }) => finished));
    const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
    await frame();
    await frame();
  });
}

type Box = { x: number; y: number; width: number; height: number };

/** Opens a field whose options are found by typing, and chooses the first option that fits. */
export async function chooseOption(field: Locator, typed: string): Promise<void> {
  await field.click();
  await field.page().keyboard.type(typed);
  await field.page().keyboard.press('Enter');
}

/** The box of an element, once it no longer moves. */
export async function restingBox(locator: Locator): Promise<Box> {
  let box: Box | null = null;
  await expect(async () => {
    await settled(locator.page());
    const before = await locator.boundingBox();
    await settled(locator.page());
    box = await locator.boundingBox();
    expect(box, 'it is there').not.toBeNull();
    expect(box, 'it stays there').toEqual(before);
  }).toPass({ timeout: 30_000 });
  if (box === null) throw new Error(`${locator.toString()} is nowhere.`);
  return box;
}

/** Presses Tab, or Shift+Tab, until the focus is on `target`. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(target).toBeVisible();
  for (let presses = 0; presses < 80; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`No ${key} leads to ${target.toString()}`);
}

/** Records the layout shifts from the next load on; returns a function that reads the record. */
export async function watchShifts(page: Page): Promise<() => Promise<number[]>> {
  await page.addInitScript(() => {
    const moved: number[] = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        moved.push((entry as PerformanceEntry & { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
    Object.assign(window, { moved });
  });
  return () => page.evaluate(() => (window as unknown as { moved: number[] }).moved);
}

/** Allows errors in the console that the test itself provokes. */
export function allowConsoleError(context: BrowserContext, expected: RegExp): void {
  allowedErrors.set(context, [...(allowedErrors.get(context) ?? []), expected]);
}

/**
 * For tests that leave something behind which other tests would find: each test gets an installation of its own. An
 * installation for their worker would end that of the other tests, and its browser.
 */
export function withOwnInstallation(settings: Record<string, string> = {}) {
  return test.extend({
    installation: async ({ start }, provide) => provide(await start({ ...claimed, ...settings })),
  });
}

const tokens = new WeakMap<Installation, string>();

/**
 * Creates one token for each installation, because the command line takes longer than most calls.
 *
 * @param own the installation's own rights that the token also holds, and so may give; only the first call counts
 */
export function tokenOf(installation: Installation, own: readonly string[] = []): string {
  const known = tokens.get(installation);
  if (known !== undefined) return known;
  const { token } = installation.portico(
    'token',
    'create',
    '--name',
    'browser-tests@example.org',
    '--expires',
    '1d',
    ...(own.length === 0 ? ['--as', operator.email] : []),
    '--rights',
    [...builtInRoles.operator, ...own].join(','),
  ) as { token: string };
  tokens.set(installation, token);
  return token;
}

/** Calls an installation without a browser; fails where the answer is an error. */
export function callerWith(token: string, { url }: Pick<Installation, 'url'>) {
  return async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        // While the command line runs, `fetch` does not see that the server ends an idle connection.
        connection: 'close',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (response.status === 204 ? undefined : await response.json()) as T;
  };
}

/** For a test with its own installation, in which `operator` exists. */
export function createApi(installation: Installation): Api {
  const token = tokenOf(installation);
  const call = callerWith(token, installation);

  function invite(firstName: string, roles: readonly string[]) {
    const email = `${firstName.toLowerCase()}-${Math.random().toString(36).slice(2, 8)}@example.org`;
    return call<{ person: Person; invitation: { link: string } }>('POST', '/v1/people', {
      email,
      firstName,
      lastName: 'Walker',
      roles,
    });
  }

  async function versionOf(flagKey: string): Promise<number | undefined> {
    const { flags } = await call<{ flags: Flag[] }>('GET', '/v1/flags');
    return flags.find(({ key }) => key === flagKey)?.version;
  }

  return {
    async addProject(name) {
      const { id, keys } = await call<Project>('POST', '/v1/diagnostics/projects', { name });
      return { id, dsn: keys[0]?.dsn ?? '' };
    },
    read: (path) => call('GET', path),
    async readFile(path) {
      const headers = { authorization: `Bearer ${token}`, connection: 'close' };
      return Buffer.from(await (await fetch(installation.url + path, { headers })).arrayBuffer());
    },
    invite: async (firstName, roles = ['member']) => (await invite(firstName, roles)).invitation.link,
    async person(firstName, roles) {
      const password = `a long walk for ${firstName}`;
      const invited = await invite(firstName, roles);
      const { email } = invited.person;
      await call('POST', '/v1/invitations/accept', {
        token: new URL(invited.invitation.link).hash.slice(1),
        firstName,
        lastName: 'Walker',
        password,
      });
      return { id: invited.person.id, email, password, firstName };
    },
    async setRoles(personId, roles) {
      const { version } = await call<Person>('GET', `/v1/people/${personId}`);
      await call('PUT', `/v1/people/${personId}/roles`, { roles, version });
    },
    addRole: (role, rights) => call('POST', '/v1/roles', { role, name: role, description: '', rights }),
    async setBlocked(personId, blocked) {
      const { version } = await call<Person>('GET', `/v1/people/${personId}`);
      await call('PUT', `/v1/people/${personId}/blocked`, { blocked, version });
    },
    profile: (personId) => call<Profile>('GET', `/v1/users/${personId}/profile`),
    async setProfile(personId, change) {
      const known = await call<Profile>('GET', `/v1/users/${personId}/profile`);
      return call<Profile>('PUT', `/v1/users/${personId}/profile`, { ...known, ...change });
    },
    async setMaintenance(change) {
      const { mode, text, severity, expectedEnd, version } = await call<MaintenanceSettings>(
        'GET',
        '/v1/maintenance',
      );
      await call('PUT', '/v1/maintenance', { mode, text, severity, expectedEnd, ...change, version });
    },
    windows: async ({ over } = { over: false }) =>
      (await call<{ windows: MaintenanceWindow[] }>('GET', `/v1/maintenance/windows?over=${over}`)).windows,
    async changeWindow(window, change) {
      const { title, text, severity, mode, leadMinutes, endsByItself, startsAt, endsAt, version } = window;
      const draft = { title, text, severity, mode, leadMinutes, endsByItself, startsAt, endsAt, version };
      await call('PUT', `/v1/maintenance/windows/${window.id}`, { ...draft, ...change });
    },
    createFlag: (key, change = {}) => call<Flag>('POST', '/v1/flags', newFlag(key, change)),
    async switchFlag(key, enabled) {
      await call('PUT', `/v1/flags/${key}/enabled`, { enabled, version: await versionOf(key) });
    },
    async changeFlag(key, change) {
      const { type, description, defaultValue, rules, tags, version } = await call<Flag>(
        'GET',
        `/v1/flags/${key}`,
      );
      const draft = { type, description, defaultValue, rules, tags, version };
      await call('PUT', `/v1/flags/${key}`, { ...draft, ...change });
    },
    async deleteFlag(key) {
      await call('DELETE', `/v1/flags/${key}?version=${await versionOf(key)}`);
    },
  };
}
