import { expect, test } from '#e2e/fixtures.ts';
import {
  message,
  trigger,
  form,
  description,
  send,
  thanks,
  openForm,
  write,
  addPicture,
  inboxOf,
  storedMessages,
} from './report-form.ts';

test.describe('BUG-5: nothing is lost', () => {
  test('BUG-5: Cancel, Escape, a reload and the end of the tab leave text and picture stored', async ({
    api,
    installation,
    signIn,
  }) => {
    const mia = await api.person('Mia', ['member']);
    const page = await signIn(mia);
    await write(page);
    await form(page).getByLabel('Name').fill('Mia from the first floor');
    await addPicture(page);
    await form(page).getByRole('button', { name: 'Cancel' }).click();
    await expect(form(page)).toHaveCount(0);
    await expect(trigger(page)).toBeFocused();
    await openForm(page);
    await expect(description(page)).toHaveValue(message);
    await description(page).press('End');
    await page.keyboard.type(' Always');
    // The page ends before any wait is over.
    await page.reload();
    await expect(description(page)).toHaveValue(`${message} Always`);
    await description(page).fill(`${message} Sometimes`);
    // Unlike a reload, the end of a tab may leave a page no time at all.
    await expect.poll(() => storedMessages(page)).toContain(`${message} Sometimes`);
    await page.close();

    const next = await page.context().newPage();
    await next.goto(installation.url);
    await next.getByRole('button', { name: 'Continue' }).click();
    await expect(description(next)).toHaveValue(`${message} Sometimes`);
    await expect(form(next).getByLabel('Name')).toHaveValue('Mia from the first floor');
    await expect(form(next).getByRole('button', { name: 'Remove screenshot' })).toBeVisible();
    await send(next).click();
    await expect(thanks(next)).toBeVisible();
    const [report] = await inboxOf(installation).from(mia.email);
    expect(report).toMatchObject({ message: `${message} Sometimes`, name: 'Mia from the first floor' });
    expect(report?.attachments).toHaveLength(1);
  });
});
