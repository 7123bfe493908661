import { createCutNetwork, type Cut } from '#e2e/cut-network.ts';
import { expect, test } from '#e2e/fixtures.ts';
import { operator } from '#e2e/installation.ts';
import {
  choosePicture,
  description,
  form,
  formAlert,
  inboxOf,
  openForm,
  send,
  signInAt,
  thanks,
} from './report-form.ts';

const cuts: readonly Cut[] = [
  'in the middle of the body',
  'after it was stored, before the answer',
  'in the middle of the answer',
  'by a reset after it was stored',
];

/** Whether the server has stored a report when the network is cut there. */
function isStored(cut: Cut): boolean {
  return cut !== 'in the middle of the body';
}

test('BUG-5: a report is stored once wherever the network is cut, sent again from the form or from those that wait', async ({
  browser,
  start,
}) => {
  const network = await createCutNetwork(start);
  const { installation } = network;
  const context = await browser.newContext();
  const page = await signInAt(context, { ...installation, url: network.url }, operator);

  const stored = async () =>
    (await inboxOf(installation).from(operator.email)).map((report) => report.message);

  for (const cut of cuts) {
    await test.step(cut, async () => {
      await openForm(page);
      await description(page).fill(`Cut ${cut}.`);
      // Its body takes several packets then.
      if (cut === 'in the middle of the body') await choosePicture(page);
      network.cut(cut);
      const before = network.count();
      await send(page).click();
      await expect(formAlert(page)).toContainText('This is because of network issues');
      expect(network.count()).toBeGreaterThan(before);
      expect(await stored()).toHaveLength(cuts.indexOf(cut) + (isStored(cut) ? 1 : 0));
      if (cut === cuts.at(-1)) {
        network.cut(null);
        await send(page).click();
        await expect(thanks(page)).toBeVisible();
        return;
      }
      await page.keyboard.press('Escape');
      await expect(page.locator('.report-waiting')).toHaveText('1 report waiting');
      await openForm(page);
      const waiting = form(page).getByRole('region', { name: '1 report has not arrived yet' });
      await expect(waiting.getByText(/^The server could not be reached · /)).toBeVisible();
      await expect(description(page)).toHaveValue('');
      const now = waiting.getByRole('button', { name: `Send now: Cut ${cut}.` });
      network.cut(null);
      // On a busy machine the page's own next try may come first.
      await Promise.race([now.click(), waiting.waitFor({ state: 'detached' })]);
      await expect(waiting).toHaveCount(0);
      await page.keyboard.press('Escape');
    });
  }

  const reports = await inboxOf(installation).from(operator.email);
  expect(reports.map((report) => report.message).toSorted()).toEqual(
    cuts.map((cut) => `Cut ${cut}.`).toSorted(),
  );
  expect(reports.flatMap(({ attachments }) => attachments)).toHaveLength(1);
  expect(reports.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4]);
  await context.close();
  await network.close();
});
