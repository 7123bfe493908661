import type { BrowserContext, Page } from '@playwright/test';
import type { FullReport, ReportSummary } from '@portico/contract/feedback';
import { expect, fillSignIn, watch } from './fixtures.ts';
import { operator, type House } from './house.ts';

// The form of a bug report, as its journeys use it.

export const message = 'The list of flags stays empty.';

export const wire = '**/v1/feedback';

export const trigger = (page: Page) => page.getByRole('button', { name: 'Report a Bug' });
export const form = (page: Page) => page.getByRole('dialog', { name: 'Report a Bug' });
export const description = (page: Page) => form(page).getByLabel('Description');
export const send = (page: Page) => form(page).getByRole('button', { name: 'Send Bug Report' });
export const thanked = (page: Page) =>
  page.getByRole('status').filter({ hasText: 'Thank you for your report!' });
export const told = (page: Page) => form(page).getByRole('alert');

export async function openForm(page: Page): Promise<void> {
  await trigger(page).click();
  await expect(form(page)).toBeVisible();
}

export async function write(page: Page, text = message): Promise<void> {
  await openForm(page);
  await description(page).fill(text);
}

/** A picture of the page, chosen as a file and kept with the draft. */
export async function addPicture(page: Page): Promise<void> {
  await choosePicture(page);
  await expect.poll(() => keptIn(page)).toHaveLength(2);
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

const readers = new WeakMap<House, string>();

function readerOf(house: House): string {
  const words = ['--name', 'inbox', '--expires', '1d', '--as', operator.email, '--rights', 'REPORTS_READ'];
  const token = readers.get(house) ?? (house.portico('token', 'create', ...words) as { token: string }).token;
  readers.set(house, token);
  return token;
}

/** What the house has stored, as an operator reads it. */
export function inboxOf(house: House) {
  const token = readerOf(house);
  async function read<T>(path: string): Promise<T> {
    const response = await fetch(house.url + path, { headers: { authorization: `Bearer ${token}` } });
    return (await response.json()) as T;
  }
  return {
    async from(email: string): Promise<FullReport[]> {
      const { reports } = await read<{ reports: ReportSummary[] }>('/v1/reports?limit=200');
      const own = reports.filter((report) => report.email === email);
      return Promise.all(own.map(({ id }) => read<FullReport>(`/v1/reports/${id}`)));
    },
  };
}

/** Nothing that was written is lost: not at once, and not by a reload. */
export async function expectNothingLost(page: Page, text = message): Promise<void> {
  await expect(description(page)).toHaveValue(text);
  // A browser that has much to do may take a while to make its first database; before, nothing can be on disk.
  await expect.poll(() => keptMessages(page)).toContain(text);
  await page.reload();
  await expect(description(page)).toHaveValue(text);
}
/** For a browser of one's own, or a house of one's own. */
export async function signInAt(
  context: BrowserContext,
  house: House,
  account: { email: string; password: string },
): Promise<Page> {
  watch(context);
  const page = await context.newPage();
  await page.goto(house.url);
  await fillSignIn(page, account);
  await expect(page.getByRole('navigation').first()).toBeVisible();
  return page;
}

/** The words of the drafts that this browser keeps. */
export function keptMessages(page: Page): Promise<unknown[]> {
  return page.evaluate(
    () =>
      new Promise<unknown[]>((resolve, reject) => {
        const opening = indexedDB.open('portico-feedback');
        opening.addEventListener('success', () => {
          const asking = opening.result.transaction('drafts').objectStore('drafts').getAll();
          asking.addEventListener('success', () => {
            opening.result.close();
            resolve(asking.result.map((kept: { message?: unknown }) => kept.message));
          });
        });
        opening.addEventListener('error', () => reject(new Error('no drafts')));
      }),
  );
}

/** The keys of every draft that this browser keeps. */
export function keptIn(page: Page): Promise<unknown[]> {
  return page.evaluate(
    () =>
      new Promise<unknown[]>((resolve, reject) => {
        const opening = indexedDB.open('portico-feedback');
        opening.addEventListener('success', () => {
          const asking = opening.result.transaction('drafts').objectStore('drafts').getAllKeys();
          asking.addEventListener('success', () => resolve(asking.result));
        });
        opening.addEventListener('error', () => reject(new Error('no drafts')));
      }),
  );
}
