import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';
import { expect, test } from '@playwright/test';
import { expectAccessible } from './accessible.ts';

const configFile = fileURLToPath(new URL('../web/vite.kit.config.ts', import.meta.url));

test('CON-6 LOOK-1: the kit has one height, one border and one look of controls, in both schemes', async ({
  page,
}) => {
  const server = await createServer({ configFile, logLevel: 'error', server: { port: 0, hmr: false } });
  await server.listen();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  await page.goto(`${server.resolvedUrls?.local[0]}kit/`);
  await expect(page.getByRole('heading', { level: 1, name: 'Kit' })).toBeVisible();
  await expectAccessible(page, 'the kit');

  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const measured = await page.evaluate(() => {
      const shown = (selector: string) =>
        [...document.querySelectorAll<HTMLElement>(selector)].filter(
          (element) => element.getClientRects().length > 0,
        );
      const of = (selector: string) =>
        shown(selector).map((element) => {
          const { borderTopColor, borderTopWidth, borderRadius } = getComputedStyle(element);
          return {
            height: Math.round(element.getBoundingClientRect().height),
            border: `${borderTopWidth} ${borderTopColor}`,
            radius: borderRadius,
          };
        });
      const one = <T>(values: readonly T[]) => [...new Set(values)];
      const usual = ':not(.button-small, .button-icon, .button-quiet, [class*=danger], .button-primary)';
      const valid = ':not(textarea, [type=checkbox], [aria-invalid], :disabled)';
      const fields = of(`.input${valid}`);
      return {
        heights: one(
          [...of('.button:not(.button-small, .input-password-frame > *)'), ...of('.input:not(textarea)')].map(
            (each) => each.height,
          ),
        ),
        small: one(of('.button-small').map((each) => each.height)),
        borders: one([...fields, ...of(`.button${usual}:not(:disabled)`)].map((each) => each.border)),
        radii: one([...fields, ...of(`.button${usual}`)].map((each) => each.radius)),
        boxes: one(
          of('input[type=checkbox]:not([role=switch], :disabled, :checked)').map((each) => each.border),
        ),
      };
    });
    expect(measured.heights, 'the height of controls').toEqual([36]);
    expect(measured.small, 'the height of small ones').toHaveLength(1);
    expect(measured.borders, 'the border of fields and buttons').toHaveLength(1);
    expect(measured.radii, 'their corners').toHaveLength(1);
    expect(measured.boxes, 'an empty box has the border of a field').toEqual(measured.borders);
  }
  expect(faults).toEqual([]);
  await server.close();
});
