import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, type Locator, type Page } from '@playwright/test';
import type axe from 'axe-core';
import { settled } from './fixtures.ts';

/** The minified script of axe, because every page that is scanned receives and reads all of it. */
const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

type Scan = {
  /** The only rules to check; left out: all of WCAG 2.2 A and AA, and good practice. */
  rules?: readonly string[];
  without?: readonly string[];
  /** The part of the page that is scanned. */
  within?: string;
};

/**
 * Scans the page once it is at rest. A scan during a change of colours or of a notification may report a violation
 * that does not exist; a real violation is in the next scan as well.
 */
export async function expectNoViolations(page: Page, where: string, scan: Scan = {}): Promise<void> {
  let again = false;
  await expect(async () => {
    // The scroll position is chance, and the bar at the top may cover half of a link.
    if (again) await page.evaluate(() => window.scrollTo(0, 0));
    again = true;
    await settled(page);
    expect(await violations(page, scan), where).toEqual([]);
  }).toPass({ timeout: 30_000 });
}

/**
 * Expects no violation in either scheme, and nothing to scroll sideways on the narrowest phone. From then on the
 * page is without motion, because the motion of each dialog would take time.
 *
 * @param within a dialog, which makes everything around it inert: it alone is scanned
 */
export async function expectAccessible(page: Page, where: string, within?: Locator): Promise<void> {
  await expect(within ?? page.getByRole('heading', { level: 1 })).toBeVisible();
  const place = within === undefined ? {} : { within: 'dialog' };
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  // The scheme changes colours alone.
  await expectNoViolations(page, `${where}, dark`, { ...place, rules: ['color-contrast'] });
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await expectNoViolations(page, `${where}, light`, place);
  const before = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 700 });
  const wide = () =>
    (within ?? page.locator('html')).evaluate((element) => element.scrollWidth - element.clientWidth);
  await expect.poll(wide, `${where}, at 320 px`).toBe(0);
  if (before !== null) await page.setViewportSize(before);
}

/** Shows the page at a width, and expects nothing to scroll sideways there. */
export async function expectFits(page: Page, where: string, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  const over = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await expect.poll(over, `${where} at ${width}`).toBe(0);
}

/** Expects the page to fit without violations at each width, at the last also in the dark. Turns motion off. */
export async function expectAccessibleAt(
  page: Page,
  where: string,
  widths: readonly number[],
): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  for (const width of widths) {
    await expectFits(page, where, width);
    await expectNoViolations(page, `${where} at ${width}`);
  }
  // The scheme changes colours alone.
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await expectNoViolations(page, `${where}, dark`, { rules: ['color-contrast'] });
}

/**
 * Returns what axe finds, and in which elements. Its script is loaded once into each page, because that takes
 * longer than a scan.
 */
async function violations(page: Page, { rules, without = [], within }: Scan): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  const options = {
    resultTypes: ['violations' as const],
    // Axe would download and read every style sheet again, for rules about sounds and videos, which no page has.
    preload: false,
    runOnly:
      rules === undefined
        ? { type: 'tag' as const, values: standards }
        : { type: 'rule' as const, values: [...rules] },
    rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
  };
  return page.evaluate(
    async ([place, how]) => {
      const { axe: scanner } = window as unknown as { axe: typeof axe };
      const found = await scanner.run(place ?? document, how);
      return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    },
    [within, options] as const,
  );
}
