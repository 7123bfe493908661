import type { Page } from '@playwright/test';
import { expect, test } from '#e2e/fixtures.ts';
import { description, form, inboxOf, openForm, send, thanks, formAlert, write } from './report-form.ts';

const missing = 'Please enter in the following required fields: ';

const asked = (page: Page) => form(page).getByText('(required)', { exact: true });
const box = (page: Page, of: 'Name' | 'Email') => page.getByRole('checkbox', { name: `${of} is required` });

async function save(page: Page): Promise<void> {
  const saved = page.waitForResponse(
    (answer) => answer.request().method() === 'PUT' && answer.url().endsWith('/v1/feedback/form'),
  );
  await page.getByRole('region', { name: 'Required fields' }).getByRole('button', { name: 'Save' }).click();
  expect((await saved).ok()).toBe(true);
  await expect(page.getByRole('status').filter({ hasText: /Saved/ })).toBeVisible();
}

test('BUG-2: what an operator asks for is in force at once, in every open form, and nothing typed is lost', async ({
  api,
  installation,
  signIn,
}) => {
  const mia = await api.person('Mia', ['member']);
  const page = await signIn(mia);
  const second = await page.context().newPage();
  await second.goto(installation.url);
  await write(page, 'The list stays empty.');
  await form(page).getByLabel('Name').fill('');
  // The other tab goes on with what this one has stored.
  await openForm(second);
  await expect(description(second)).toHaveValue('The list stays empty.');
  await expect(form(second).getByLabel('Name')).toHaveValue('');
  for (const tab of [page, second]) await expect(asked(tab)).toHaveCount(1);

  const operator = await signIn('operator', { at: '/reports' });
  await operator.getByRole('link', { name: 'Report settings' }).click();
  await expect(operator).toHaveURL(/\/settings\/reports$/);
  // Its address of earlier releases leads there too.
  await operator.goto(new URL('/reports/settings', operator.url()).href);
  await expect(operator).toHaveURL(/\/settings\/reports$/);
  await expect(operator.getByRole('heading', { level: 1, name: 'Reports' })).toBeVisible();
  await box(operator, 'Name').check();
  await box(operator, 'Email').check();
  await save(operator);

  for (const tab of [page, second]) {
    await expect(asked(tab)).toHaveCount(3);
    await expect(description(tab)).toHaveValue('The list stays empty.');
  }
  await form(page).getByLabel('Email').fill('  ');
  await send(page).click();
  await expect(formAlert(page)).toHaveText(`${missing}Email, Name`);
  await expect(form(page).getByLabel('Name')).toHaveAttribute('aria-invalid', 'true');

  await box(operator, 'Name').uncheck();
  await save(operator);
  await expect(formAlert(page)).toHaveText(`${missing}Email`);
  await form(page).getByLabel('Email').fill(mia.email);
  await send(page).click();
  await expect(thanks(page)).toBeVisible();
  expect((await inboxOf(installation).from(mia.email)).map(({ name }) => name)).toEqual(['']);

  // A browser that receives no event learns it from the refusal.
  await second.route('**/v1/feedback/form', (route) => route.abort());
  await second.route('**/v1/events*', (route) => route.abort());
  await second.reload();
  await openForm(second);
  await description(second).fill('Nothing here either.');
  await form(second).getByLabel('Email').fill('');
  await expect(asked(second)).toHaveCount(1);
  await send(second).click();
  await expect(formAlert(second)).toHaveText(`${missing}Email`);
  await expect(asked(second)).toHaveCount(2);
  await expect(description(second)).toHaveValue('Nothing here either.');

  await box(operator, 'Email').uncheck();
  await save(operator);
});
