import type { Page } from '@playwright/test';
import { expect } from '#e2e/fixtures.ts';

// For tests of pictures in a report: adding them, and reading what was sent.

const executablePath = process.env['CHROMIUM'];

/**
 * For `test.use`: the whole browser, which answers its own question about capturing the tab; the rest is as
 * in playwright.config.ts.
 */
export const wholeBrowser = {
  launchOptions: {
    ...(executablePath === undefined ? {} : { executablePath }),
    chromiumSandbox: process.getuid?.() !== 0,
    args: [
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--auto-accept-this-tab-capture',
    ],
  },
};

export type Colour = readonly [red: number, green: number, blue: number, alpha: number];
export type Pixels = { width: number; height: number; at(x: number, y: number): Colour };

export async function openSources(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Report a Bug' }).click();
  await page.getByRole('button', { name: 'Add a screenshot' }).click();
  await expect(page.getByRole('button', { name: 'Choose a picture' })).toBeVisible();
}

type SentPicture = { data: string; filename: string; contentType: string };

/** Sends the report; answers the pictures that went with it. */
export async function sentPictures(page: Page): Promise<SentPicture[]> {
  await page.getByLabel(/^Description/).fill('It looks wrong.');
  // Not the thanks: they stand for five seconds, and a report of ten megabytes may take longer to be read here.
  const [answer] = await Promise.all([
    page.waitForResponse((response) => new URL(response.url()).pathname === '/v1/feedback', {
      timeout: 90_000,
    }),
    page.getByRole('button', { name: 'Send Bug Report' }).click(),
  ]);
  expect(answer.ok()).toBe(true);
  const { attachments = [] } = answer.request().postDataJSON() as { attachments?: SentPicture[] };
  return attachments;
}

export async function send(page: Page): Promise<Pixels & { bytes: Buffer }> {
  const [picture, ...more] = await sentPictures(page);
  expect(more).toEqual([]);
  expect(picture).toMatchObject({ filename: 'screenshot.png', contentType: 'image/png' });
  const bytes = Buffer.from(picture?.data ?? '', 'base64');
  return { bytes, ...(await decode(page, bytes)) };
}

export async function decode(page: Page, bytes: Buffer): Promise<Pixels> {
  const { width, height, data } = await page.evaluate(async (base64) => {
    const file = new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))]);
    const bitmap = await createImageBitmap(file);
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    context?.drawImage(bitmap, 0, 0);
    const pixels = context?.getImageData(0, 0, bitmap.width, bitmap.height).data ?? [];
    let text = '';
    for (const value of pixels) text += String.fromCharCode(value);
    return { width: bitmap.width, height: bitmap.height, data: btoa(text) };
  }, bytes.toString('base64'));
  const pixels = Buffer.from(data, 'base64');
  return {
    width,
    height,
    at(x, y) {
      const offset = (Math.round(y) * width + Math.round(x)) * 4;
      const [red = 0, green = 0, blue = 0, alpha = 0] = pixels.subarray(offset, offset + 4);
      return [red, green, blue, alpha];
    },
  };
}
