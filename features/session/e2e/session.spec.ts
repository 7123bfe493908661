import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expectNoViolations } from '#e2e/accessible.ts';
import { expect, fillSignIn, allowConsoleError, test } from '#e2e/fixtures.ts';

test('SES-7: a sign-out asks once about what is typed in all tabs; another person who signs in finds each at the home screen; stored drafts are restored on request to their person alone', async ({
  api,
  signIn,
}) => {
  const mia = await api.person('Mia', ['operator']);
  const noor = await api.person('Noor', ['member']);
  const page = await signIn(mia);
  const other = await page.context().newPage();
  const dialog = page.getByRole('dialog', { name: 'Sign out with unsaved changes?' });
  const account = async (item: string | RegExp) => {
    await page.getByRole('button', { name: /account/i }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  const signInAs = async (who: typeof mia) => {
    await fillSignIn(page, who);
    await expect(
      page.getByRole('button', { name: new RegExp(`^Account of ${who.firstName}`) }),
    ).toBeVisible();
  };

  await test.step('it names what is typed and where, and going back changes nothing', async () => {
    await other.goto('/flags');
    await other.getByRole('button', { name: 'New flag' }).first().click();
    await other.getByRole('dialog').getByRole('textbox', { name: /^Key/ }).fill('typed-elsewhere');
    await page.getByRole('button', { name: 'Report a Bug' }).click();
    await page
      .getByRole('dialog')
      .getByLabel(/^Description/)
      .fill('half a report');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.goto('/profile');
    await page.getByLabel('Job title').fill('Analyst');
    await account('Sign out');
    await expect(dialog.getByRole('listitem')).toHaveText([
      'Profile (this tab)',
      /^Flags: .*\(another tab\)$/,
      'Report a Bug (all tabs)',
    ]);
    await expect(dialog).toContainText('stay on this device, encrypted');
    await expect(dialog).toContainText('14 days at most');
    await expectNoViolations(page, 'the question before a sign-out');
    await expect(dialog.getByRole('button', { name: 'Go back' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(dialog).toHaveCount(0);
    await expect(page.getByLabel('Job title')).toHaveValue('Analyst');
    await expect(other.getByRole('dialog').getByRole('textbox', { name: /^Key/ })).toHaveValue(
      'typed-elsewhere',
    );
  });

  await test.step('stored drafts cannot be read on the device, and another person sees nothing of them', async () => {
    await account('Sign out');
    await dialog.getByRole('button', { name: 'Sign out and keep drafts' }).click();
    await expect(other.getByText('All tabs of this browser are signed out.')).toBeVisible();
    await signInAs(noor);
    await expect(
      other.getByText('This tab belonged to another person. It is loaded again for Noor Walker.'),
    ).toBeVisible();
    await expect(other.getByRole('heading', { level: 1 })).toContainText('Noor');
    await expect(other).toHaveURL('/');
    for (const tab of [page, other]) {
      const stored = await tab.evaluate(storedText);
      expect(stored).toContain('portico-kept-drafts');
      expect(stored).not.toMatch(/Analyst|typed-elsewhere|half a report/);
    }
    await page.getByRole('button', { name: /account/i }).click();
    await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible();
    await expect(page.getByRole('menuitem', { name: /Kept drafts/ })).toHaveCount(0);
    // Nothing is typed, so nothing is asked.
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
  });

  await test.step('at the next sign-in they are offered on request, and open where they were typed', async () => {
    await signInAs(mia);
    await page.goto('/profile');
    await expect(page.getByLabel('Job title')).toHaveValue('');
    await account('Kept drafts (3)');
    const drafts = page.getByRole('dialog', { name: 'Kept drafts' });
    await expect(drafts.getByRole('listitem')).toHaveCount(3);
    await expectNoViolations(page, 'kept drafts');
    await drafts.getByRole('button', { name: 'Open Profile' }).click();
    await expect(page.getByLabel('Job title')).toHaveValue('Analyst');
    await account('Kept drafts (2)');
    await drafts.getByRole('button', { name: /^Open Flags/ }).click();
    await expect(page.getByRole('dialog').getByRole('textbox', { name: /^Key/ })).toHaveValue(
      'typed-elsewhere',
    );
  });

  await test.step('discarded is discarded, also the report', async () => {
    await page.goto('/');
    await account('Kept drafts (1)');
    await page.getByRole('button', { name: 'Open Report a Bug' }).click();
    await expect(page.getByRole('dialog').getByLabel(/^Description/)).toHaveValue('half a report');
    await page.keyboard.press('Escape');
    await account('Sign out');
    await dialog.getByRole('button', { name: 'Sign out and discard' }).click();
    await signInAs(mia);
    expect(await page.evaluate(storedText)).not.toMatch(/Analyst|typed-elsewhere|half a report/);
    await page.getByRole('button', { name: /account/i }).click();
    await expect(page.getByRole('menuitem', { name: /Kept drafts/ })).toHaveCount(0);
  });
});

/** All that this browser stores for the page, as text. */
async function storedText(): Promise<string> {
  const found = [JSON.stringify([{ ...localStorage }, { ...sessionStorage }])];
  const asked = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(new Error('not read')));
    });
  for (const { name = '' } of await indexedDB.databases()) {
    const database = await asked(indexedDB.open(name));
    for (const store of database.objectStoreNames) {
      const values = await asked(database.transaction(store).objectStore(store).getAll());
      const texts = values.map((value) =>
        JSON.stringify(value, (_key, part: unknown) =>
          part instanceof ArrayBuffer ? new TextDecoder().decode(part) : part,
        ),
      );
      found.push(name, ...texts);
    }
    database.close();
  }
  return found.join('\n');
}

test('SES-2: a reload keeps the session, whose token is in memory alone, and another site cannot use it', async ({
  signIn,
  installation,
}) => {
  const page = await signIn('operator');
  const stored = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
  );
  expect(stored).not.toContain('eyJ');

  // Same machine, another port: cookies ignore ports and the site is the same, so no other origin is closer
  // than this one.
  const stranger = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<title>elsewhere</title>'),
  );
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  const elsewhere = await page.context().newPage();
  await elsewhere.goto(`http://localhost:${(stranger.address() as AddressInfo).port}/`);
  const answers: number[] = [];
  elsewhere.on('response', (response) => answers.push(response.status()));
  const call = (path: string, init: { mode?: 'no-cors'; headers?: Record<string, string> }) =>
    elsewhere.evaluate(
      ([address, how]) =>
        fetch(address, how).then(
          (response) => response.type,
          () => 'refused',
        ),
      [installation.url + path, { credentials: 'include' as const, method: 'POST', ...init }] as const,
    );
  expect(await call('/auth/token', { headers: { 'x-portico': '1' } })).toBe('refused');
  expect(await call('/auth/token', { mode: 'no-cors' })).toBe('opaque');
  expect(await call('/auth/logout', { mode: 'no-cors' })).toBe('opaque');
  expect(answers.filter((status) => status < 400)).toEqual([]);
  await elsewhere.close();
  stranger.close();
  allowConsoleError(page.context(), /blocked by CORS policy/);
  await page.reload();
  await expect(page.getByRole('navigation').first()).toBeVisible();
});

test('SES-3: a person changes their own password, and stays signed in', async ({ api, signIn }) => {
  const mia = await api.person('Mia', ['member']);
  const page = await signIn(mia);
  await page.getByRole('button', { name: /account/i }).click();
  await page.getByRole('menuitem', { name: 'Change password' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: /^Current password/ }).fill('not the right one');
  await dialog.getByRole('textbox', { name: /^New password/ }).fill('eleven amber colonnades');
  await dialog.getByRole('button', { name: 'Change password', exact: true }).click();
  await expect(dialog.getByRole('alert')).toContainText('This is not your current password.');
  await dialog.getByRole('textbox', { name: /^Current password/ }).fill(mia.password);
  await dialog.getByRole('button', { name: 'Change password', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('status').filter({ hasText: 'Password changed' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Mia');
});
