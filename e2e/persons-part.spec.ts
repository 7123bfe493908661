import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect, restingBox, test } from './fixtures.ts';
import { wholeBrowser } from './report-picture.ts';

// What a member does with Portico: their profile, a bug report with a picture, and its status.

test.use(wholeBrowser);

const photo = join(import.meta.dirname, '../dev/demo-pictures/notice-on-top.png');

test('PRO-1 FILE-1 BUG-1 BUG-3 BUG-6 BUG-9: a person fills in a profile, reports a bug with a cropped screenshot, and sees what an operator makes of it', async ({
  api,
  signIn,
}) => {
  const mia = await api.person('Mia', ['member']);
  const page = await signIn(mia);

  await test.step('edits the profile', async () => {
    await page.getByRole('button', { name: 'Account of Mia Walker' }).click();
    await page.getByRole('menuitem', { name: 'Profile' }).click();
    await page.getByLabel('Job title').fill('Surveyor');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByText('Your profile was saved.')).toBeVisible();
  });

  await test.step('shows a picture of themselves', async () => {
    await page.locator('input[type=file]').setInputFiles(photo);
    const crop = page.getByRole('dialog', { name: 'Choose the part that is shown' });
    await crop.getByRole('button', { name: 'Use this picture' }).click();
    await expect(page.getByRole('button', { name: 'Account of Mia' }).locator('img')).toHaveAttribute(
      'src',
      /^blob:/,
    );
  });

  await test.step('reports a bug with a picture of the tab, cropped and not even confirmed', async () => {
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByRole('button', { name: 'Report a Bug' }).click();
    const form = page.getByRole('dialog', { name: 'Report a Bug' });
    await expect(form.getByLabel('Name')).toHaveValue('Mia Walker');
    await form.getByLabel(/^Description/).fill('The stairs are missing a step.');
    await form.getByRole('button', { name: 'Add a screenshot' }).click();
    await form.getByRole('button', { name: 'Capture this tab' }).click();
    await form.getByRole('button', { name: 'Crop' }).click();
    await dragOver(page, form.getByRole('img', { name: /^Picture, / }));
    await form.getByRole('button', { name: 'Send Bug Report' }).click();
    await expect(page.getByText('Thank you for your report!')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Your reports' })).toContainText('New');
    await page.getByRole('link', { name: 'My reports', exact: true }).click();
    await expect(page.getByRole('main').getByText('The stairs are missing a step.')).toBeVisible();
  });

  const operator = await signIn('operator');
  const inbox = operator.getByRole('list', { name: 'Reports' });

  await test.step('an operator opens it and looks at the picture', async () => {
    await operator.getByRole('link', { name: 'Console', exact: true }).click();
    await operator.getByRole('link', { name: 'Reports', exact: true }).click();
    await inbox.getByRole('link', { name: /The stairs are missing a step/ }).click();
    await expect(operator.getByRole('heading', { name: /^Report \d+$/ })).toBeVisible();
    const small = operator.getByRole('main').locator('img').first();
    await expect(small).toHaveAttribute('src', /^blob:/);
    const natural = () =>
      small.evaluate((image: HTMLImageElement) => ({
        width: image.naturalWidth,
        height: image.naturalHeight,
      }));
    const window = page.viewportSize() ?? { width: 0, height: 0 };
    await expect.poll(async () => (await natural()).width).toBeGreaterThan(0);
    const { width, height } = await natural();
    expect(width).toBeLessThan(window.width);
    expect(height).toBeLessThan(window.height);
  });

  await test.step('and changes its status', async () => {
    await operator.getByRole('button', { name: 'Status: New' }).click();
    await operator.getByRole('menuitemradio', { name: 'In progress' }).click();
    await expect(operator.getByRole('button', { name: 'Status: In progress' })).toBeVisible();
    await expect(inbox.getByRole('link', { name: /The stairs/ })).toContainText('In progress');
  });

  await test.step('the reporter sees it as it happens, in their report, and on the home screen', async () => {
    const reports = page.getByRole('main');
    await expect(reports).toContainText('In progress');
    await reports.getByText('The stairs are missing a step.').click();
    await expect(reports.getByRole('list', { name: 'Conversation' })).toContainText('In progress');
    await expect(reports).not.toContainText('operator@example.org');
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await expect(page.getByRole('region', { name: 'Your reports' })).toContainText('In progress');
  });
});

/** Draws with the mouse from near the picture's corner to its middle. */
async function dragOver(page: Page, picture: Locator): Promise<void> {
  const box = await restingBox(picture);
  await page.mouse.move(box.x + 20, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 4, box.y + box.height / 4);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.up();
}
