import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';

const field = (page: Page) => page.getByRole('combobox', { name: 'Search or jump to' });
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name });
const ownWord = () => `PALETTE_${Math.random().toString(36).slice(2, 8).toUpperCase()}`;

/** Opens the palette by its keys once they are there: they come after the page. */
async function openPalette(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'Search or jump to' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
}

test('CON-3 LOOK-2: an operator finds a flag, turns it off, opens a person and a screen, all by keyboard', async ({
  api,
  signIn,
}) => {
  const key = ownWord();
  await api.createFlag(key, { enabled: true, description: 'Shown at noon' });
  const mia = await api.person(`Mia${key}`, ['member']);
  const page = await signIn('operator', { at: '/console' });

  await openPalette(page);
  await expect(option(page, /^Flags g f/)).toHaveCount(0);
  await expect(option(page, /^Flags$/)).toBeVisible();
  await page.keyboard.type(key.toLowerCase());
  await expect(option(page, key).first()).toHaveAttribute('data-at', 'true');
  await expect(page.getByRole('group', { name: 'Flags' })).toContainText('Shown at noon');
  await expect(page.getByRole('group', { name: 'People' })).toContainText(mia.email);
  await expectAccessible(page, 'the palette with results', page.getByRole('dialog'));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/flags/${key}$`));
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await openPalette(page);
  await expect(page.getByRole('group', { name: 'Recently opened' })).toContainText(key);
  await page.keyboard.type(key);
  await expect(option(page, `Turn off ${key}`)).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: `${key} is off` })).toBeVisible();

  await openPalette(page);
  await page.keyboard.type(`mia${key}`);
  await expect(option(page, new RegExp(mia.email))).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(mia.id));
  await expect(page.getByText(mia.email).first()).toBeVisible();

  await openPalette(page);
  await page.keyboard.type('new fl');
  await expect(option(page, 'New flag…')).toHaveAttribute('data-at', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'New flag' })).toBeVisible();
  await expect(page).toHaveURL(/\/flags$/);
});

test('CON-3: no key is lost on the way to the field; a search is cancelled when another replaces it, says what failed, and can be tried again', async ({
  api,
  signIn,
}) => {
  const word = ownWord();
  await api.person(`Mia${word}`, ['member']);
  const page = await signIn('operator', { at: '/console' });
  const cancelled: string[] = [];
  page.on('requestfailed', (request) =>
    cancelled.push(new URL(request.url()).searchParams.get('search') ?? ''),
  );
  await page.route(/v1\/people\?search=slow/, () => undefined);
  await expect(page.getByRole('button', { name: 'Search or jump to' })).toBeVisible();
  const keys = await page.evaluate(async () => {
    const seen = { kept: 0, lost: 0 };
    const press = (init: KeyboardEventInit) =>
      document.body.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true }));
    press({ key: 'k', ctrlKey: true });
    const next = () =>
      new Promise<void>((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener('message', () => resolve(port1.close()));
        port1.start();
        port2.postMessage('');
      });
    while (document.activeElement?.role !== 'combobox') {
      seen[press({ key: ' ' }) ? 'lost' : 'kept'] += 1;
      await next();
    }
    return seen;
  });
  expect(keys).toEqual({ kept: expect.any(Number), lost: 0 });
  await expect(field(page)).toHaveValue(' '.repeat(keys.kept));
  await field(page).fill('');
  const asked = page.waitForRequest(/v1\/people\?search=slow/);
  await page.keyboard.type('slow');
  await asked;
  await expect(page.getByText('Searching').first()).toBeVisible();

  await page.route(/v1\/people\?search=mia/i, (route) => route.fulfill({ status: 500, json: {} }));
  await field(page).fill(`Mia${word}`);
  await expect.poll(() => cancelled).toContain('slow');
  const failed = page.getByRole('alert').filter({ hasText: 'Could not be searched: People' });
  await expect(failed).toBeVisible();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await failed.getByRole('button', { name: 'Try again' }).click();
  await expect(option(page, new RegExp(word))).toBeVisible();
  await expect(failed).toHaveCount(0);

  await field(page).fill('nothing is called so');
  await expect(page.getByText('Nothing found for “nothing is called so”')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('CON-3 LOOK-2: letters open screens, / searches, ? lists the keys and switches letters off; a row is one stop for Tab', async ({
  api,
  signIn,
}) => {
  const word = ownWord();
  await api.createFlag(`${word}_A`);
  await api.createFlag(`${word}_B`);
  const page = await signIn('operator', { at: '/audit' });
  await expect(page.getByRole('button', { name: 'Search or jump to' })).toBeVisible();
  // The second letter counts for a moment alone.
  await expect(async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('f');
    await expect(page).toHaveURL(/\/flags$/, { timeout: 5_000 });
  }).toPass();
  await expect(page.getByRole('heading', { level: 1, name: 'Flags' })).toBeFocused();
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox')).toBeFocused();
  // While one types, letters and signs are text.
  await page.keyboard.type(`?gp/`);
  await expect(page.getByRole('searchbox')).toHaveValue('?gp/');
  await page.getByRole('searchbox').fill(word);

  const keyOf = (name: string) => page.getByRole('link', { name: new RegExp(`^${word}_${name}`) });
  const switchOf = (name: string) => page.getByRole('switch', { name: new RegExp(`${word}_${name}`) });
  await expect(keyOf('B')).toBeVisible();
  await keyOf('A').focus();
  await page.keyboard.press('Tab');
  await expect(keyOf('B')).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(switchOf('B')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(switchOf('A')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('End');
  await expect(keyOf('B')).toBeFocused();

  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(keys).toContainText('Search on this screen');
  await expectAccessible(page, 'the keys', keys);
  await page.getByRole('switch', { name: 'Use single letters, digits and signs' }).press('Space');
  await page.keyboard.press('Escape');
  await page.keyboard.press('g');
  await page.keyboard.press('p');
  await page.keyboard.press('?');
  await page.reload();
  await openPalette(page);
  await expect(page).toHaveURL(/\/flags/);
  await page.keyboard.type('keyboard');
  await expect(option(page, 'Keyboard shortcuts')).toHaveAttribute('data-at', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('switch', { name: 'Use single letters' })).not.toBeChecked();
  await page.keyboard.press('Escape');

  const account = page.getByRole('button', { name: /^Account of/ });
  await account.press('Enter');
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).press('Enter');
  await expect(keys.locator('.keys')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(account).toBeFocused();
});

test('CON-3 RIGHT-8: a member is offered own screens and actions, and nothing is asked of the server that they may not read', async ({
  api,
  signIn,
}) => {
  const mia = await api.person('Mia', ['member']);
  const asked: string[] = [];
  const page = await signIn(mia, {
    before: (opened) => opened.on('request', (request) => void asked.push(new URL(request.url()).pathname)),
  });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole('button', { name: 'Search or jump to' }).click();
  await expect(option(page, 'My reports')).toBeVisible();
  await expect(option(page, 'People')).toHaveCount(0);
  await expect(option(page, /Invite/)).toHaveCount(0);
  const read = page.waitForResponse(/v1\/users\/current\/reports/);
  await field(page).fill('report a');
  await read;
  expect(asked.filter((path) => /^\/v1\/(people|reports|flags|maintenance\/windows)$/.test(path))).toEqual(
    [],
  );
  await option(page, 'Report a Bug').click();
  await expect(page.getByRole('dialog', { name: 'Report a Bug' })).toBeVisible();
});
