/** @typedef {import('@playwright/test').Page} Page */

/**
 * Starts maintenance, with an end in 25 minutes.
 *
 * @param {Page} page of an operator, in English
 * @param {string} url of the demo
 */
export async function startMaintenance(page, url) {
  await page.goto(`${url}/maintenance`);
  await page.getByRole('button', { name: 'Start maintenance …' }).click();
  const text = 'The database is being upgraded, and is faster afterwards.';
  await page.getByLabel('Text while it lasts').fill(text);
  // As the field expects it: the local time of this browser.
  const end = await page.evaluate(() => {
    const now = new Date();
    now.setMinutes(now.getMinutes() + 25 - now.getTimezoneOffset());
    return now.toISOString().slice(0, 16);
  });
  await fillDate(page, 'Expected end', end);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Start maintenance now' }).click();
  await dialog.waitFor({ state: 'detached' });
}

/**
 * Ends it again.
 *
 * @param {Page} page of an operator, in English
 * @param {string} url of the demo
 */
export async function endMaintenance(page, url) {
  await page.goto(`${url}/maintenance`);
  await page.getByRole('button', { name: 'End maintenance now' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'End maintenance now' }).click();
  await dialog.waitFor({ state: 'detached' });
}

/**
 * Pastes a time into its field.
 *
 * @param {Page} page
 * @param {string} name of the field
 * @param {string} time `2026-11-24T22:00`
 */
export async function fillDate(page, name, time) {
  const field = page.getByRole('group', { name, exact: true });
  await field.getByRole('spinbutton').first().focus();
  // As a text: DOM types are not known here.
  await page.evaluate(`{
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', '${time}');
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }`);
  await field.filter({ hasText: time.slice(11) }).waitFor();
}
