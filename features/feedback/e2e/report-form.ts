import type { BrowserContext, Page } from '@playwright/test';
import type { FullReport, ReportSummary } from '#features/feedback/contract/inbox.ts';
import { callerWith, expect, signInQuickly, tokenOf, watchConsole } from '#e2e/fixtures.ts';
import type { Installation } from '#e2e/installation.ts';

// The form of a bug report, for the tests that use it.

export const message = 'The list of flags stays empty.';

export const wire = '**/v1/feedback';

export const trigger = (page: Page) => page.getByRole('button', { name: 'Report a Bug' });
export const form = (page: Page) => page.getByRole('dialog', { name: 'Report a Bug' });
export const description = (page: Page) => form(page).getByLabel('Description');
export const send = (page: Page) => form(page).getByRole('button', { name: 'Send Bug Report' });
export const thanks = (page: Page) =>
  page.getByRole('status').filter({ hasText: 'Thank you for your report!' });
export const formAlert = (page: Page) => form(page).getByRole('alert');

export async function openForm(page: Page): Promise<void> {
  await trigger(page).click();
  await expect(form(page)).toBeVisible();
}

export async function write(page: Page, text = message): Promise<void> {
  await openForm(page);
  await description(page).fill(text);
}

/** A picture of the page, chosen as a file and stored with the draft. */
export async function addPicture(page: Page): Promise<void> {
  await choosePicture(page);
  await expect.poll(() => storedDraftKeys(page)).toHaveLength(2);
}

export async function choosePicture(page: Page): Promise<void> {
  const buffer = await page.screenshot();
  await form(page).getByRole('button', { name: 'Add a screenshot' }).click();
  await form(page)
    .getByLabel('Choose a picture')
    .first()
    .setInputFiles({ name: 'seen.png', mimeType: 'image/png', buffer });
  await expect(form(page).getByRole('button', { name: 'Remove screenshot' })).toBeVisible();
}

/** What the installation has stored, as an operator reads it. */
export function inboxOf(installation: Installation) {
  const call = callerWith(tokenOf(installation), installation);
  return {
    async from(email: string): Promise<FullReport[]> {
      const { reports } = await call<{ reports: ReportSummary[] }>('GET', '/v1/reports?limit=200');
      const own = reports.filter((report) => report.email === email);
      return Promise.all(own.map(({ id }) => call<FullReport>('GET', `/v1/reports/${id}`)));
    },
  };
}

/** For a test with its own browser or installation. */
export async function signInAt(
  context: BrowserContext,
  installation: Installation,
  account: { email: string; password: string },
): Promise<Page> {
  watchConsole(context);
  const page = await context.newPage();
  await signInQuickly(page, installation.url, account);
  await expect(page.getByRole('navigation').first()).toBeVisible();
  return page;
}

/** What this browser stores of reports: their keys, or the records with their messages. */
function stored(page: Page, ask: 'getAll' | 'getAllKeys'): Promise<unknown[]> {
  return page.evaluate(
    (method) =>
      new Promise<unknown[]>((resolve, reject) => {
        const opening = indexedDB.open('portico-feedback');
        opening.addEventListener('success', () => {
          const asking = opening.result.transaction('drafts').objectStore('drafts')[method]();
          asking.addEventListener('success', () => {
            opening.result.close();
            resolve(asking.result);
          });
        });
        opening.addEventListener('error', () => reject(new Error('no drafts')));
      }),
    ask,
  );
}

/** The messages of the drafts that this browser stores. */
export async function storedMessages(page: Page): Promise<unknown[]> {
  return (await stored(page, 'getAll')).map((draft) => (draft as { message?: unknown }).message);
}

/** The keys of every draft that this browser stores. */
export const storedDraftKeys = (page: Page): Promise<unknown[]> => stored(page, 'getAllKeys');
