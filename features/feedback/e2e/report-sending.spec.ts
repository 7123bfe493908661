import { expect, test } from '#e2e/fixtures.ts';
import {
  message,
  trigger,
  form,
  description,
  send,
  thanks,
  formAlert,
  openForm,
  write,
  inboxOf,
} from './report-form.ts';

test('BUG-4 §8 widget: Please enter in the following required fields: (then a double press sends one report) §8 widget: Thank you for your report!', async ({
  api,
  installation,
  signIn,
}) => {
  const mia = await api.person('Mia', ['member']);
  const page = await signIn(mia, { at: '/?page=2#fragment' });
  await page.clock.install();
  await write(page, ' \n ');
  const [email, name] = [form(page).getByLabel('Email'), form(page).getByLabel('Name')];
  await expect(email).toHaveValue(mia.email);
  await expect(email).toHaveAttribute('type', 'email');
  await expect(name).toHaveValue('Mia Walker');
  await expect(description(page)).toHaveAttribute('rows', '5');
  await expect(form(page).getByText('Description (required)')).toBeVisible();
  await send(page).click();
  await expect(formAlert(page)).toHaveText('Please enter in the following required fields: Description');
  await expect(form(page).locator('.report-problem')).toBeFocused();
  await expect(description(page)).toHaveAttribute('aria-invalid', 'true');
  await description(page).fill(`  ${message}\n`);
  await email.fill('mia at home');
  await send(page).click();
  await expect(formAlert(page)).toHaveText(/not an email address/);
  await expect(email).toBeFocused();
  expect(await inboxOf(installation).from(mia.email)).toEqual([]);

  await email.fill(mia.email);
  await page.clock.pauseAt(Date.now() + 60_000);
  const find = page.getByRole('button', { name: 'Search or jump to' });
  const place = await find.boundingBox();
  await send(page).dblclick();
  await expect(thanks(page)).toBeVisible();
  expect(await find.boundingBox(), 'nothing in the bar moves').toEqual(place);
  await expect(form(page)).toHaveCount(0);
  await expect(trigger(page)).toHaveCount(0);
  await page.mouse.move(5, 5);
  await page.clock.runFor(4999);
  await expect(thanks(page)).toBeVisible();
  await page.clock.runFor(1);
  await expect(thanks(page)).toHaveCount(0);
  await expect(trigger(page)).toBeFocused();

  const [report, ...more] = await inboxOf(installation).from(mia.email);
  expect(more).toEqual([]);
  expect(report).toMatchObject({
    message,
    name: 'Mia Walker',
    source: 'widget',
    url: `${installation.url}/?page=2`,
    reporterId: mia.id,
    context: { timeZone: expect.stringMatching(/./) as unknown, viewport: '1280 × 720 @1' },
  });
  await openForm(page);
  await expect(description(page)).toHaveValue('');
});
