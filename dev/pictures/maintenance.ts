import type { Page } from '@playwright/test';

/** Starts maintenance, with an end in 25 minutes, on the page of an operator, in English. */
export async function startMaintenance(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/maintenance`);
  await page.getByRole('button', { name: 'Start maintenance…' }).click();
  const text = 'The database is being upgraded, and is faster afterwards.';
  await page.getByLabel('Text while it lasts').fill(text);
  // As the field expects it: the local time of this browser.
  const end = await page.evaluate(() => {
    const now = new Date();
    now.setMinutes(now.getMinutes() + 25 - now.getTimezoneOffset());
    return now.toISOString().slice(0, 16);
  });
  await fillDate(page, 'Expected end', end);
  await confirm(page, 'Start maintenance now');
}

/** Ends maintenance. */
export async function endMaintenance(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/maintenance`);
  await page.getByRole('button', { name: 'End maintenance now' }).click();
  await confirm(page, 'End maintenance now');
}

/** Pastes a time into its field. @param time `2026-11-24T22:00` */
export async function fillDate(page: Page, name: string, time: string): Promise<void> {
  const field = page.getByRole('group', { name, exact: true });
  await field.getByRole('spinbutton').first().focus();
  // The script is a text, because DOM types are not known here.
  await page.evaluate(`{
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', '${time}');
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }`);
  await field.filter({ hasText: time.slice(11) }).waitFor();
}

/** Presses a button of the open dialog, which closes it. */
export async function confirm(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name }).click();
  await dialog.waitFor({ state: 'detached' });
}
