import type { Page } from '@playwright/test';
import { expectAccessible } from '#e2e/accessible.ts';
import { allowConsoleError, expect, test } from '#e2e/fixtures.ts';
import { operator } from '#e2e/installation.ts';

test('DIAG-1 DIAG-2: an error of the web is shown with its original source, and is marked when it comes back', async ({
  signIn,
}) => {
  const sent: string[] = [];
  const before = (opened: Page) => {
    allowConsoleError(opened.context(), /writeText is not a function|status of 500/);
    opened.on('request', (request) => {
      if (request.url().endsWith('/v1/faults')) sent.push(request.postData() ?? '');
    });
  };
  const page = await signIn('operator', { at: '/settings/diagnostics?project=1', before });

  await breakCopying(page);
  await page.goto('/diagnostics');
  const row = page.getByRole('link', { name: /TypeError .*writeText is not a function/ });
  await expect(row).toBeVisible();
  await expectAccessible(page, 'errors');
  await row.click();
  await expect(page.getByRole('heading', { level: 1, name: 'TypeError' })).toBeVisible();
  await expect(page.getByText('From source maps')).toBeVisible();
  await expect(page.getByText(/copy-button\.tsx:\d+:\d+/).first()).toBeVisible();

  await page.getByRole('button', { name: 'Assigned to: Nobody' }).click();
  await page.getByRole('option', { name: /\(you\)/ }).click();
  await expect(page.getByRole('button', { name: /^Assigned to: (?!Nobody)/ })).toBeVisible();
  const comment = page.getByRole('textbox', { name: 'Add a comment for the team' });
  await comment.fill('The clipboard needs a secure page.');
  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  await expect(page.getByText('The clipboard needs a secure page.')).toBeVisible();
  await expect(comment).toHaveValue('');
  await expectAccessible(page, 'an error with a comment');
  await page.getByRole('button', { name: 'Remove comment' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove comment' }).click();
  await expect(page.getByText('The clipboard needs a secure page.')).toHaveCount(0);

  await page.getByRole('button', { name: 'Resolve', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Reopen' })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Resolve', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Reopen' })).toBeVisible();
  await page.goto('/settings/diagnostics?project=1');
  await breakCopying(page);
  await page.goto('/diagnostics');
  await expect(row.getByText('Happened again')).toBeVisible();

  const problem = {
    type: 'about:blank',
    status: 500,
    code: 'INTERNAL',
    title: 'Failed',
    requestId: 'req-of-the-test',
  };
  await page.route('**/v1/webhooks', (route) =>
    route.fulfill({ status: 500, contentType: 'application/problem+json', json: problem }),
  );
  await Promise.all([faultStored(page), page.goto('/webhooks')]);
  await page.goto('/diagnostics?search=webhooks');
  await page.getByRole('link', { name: /FailedCall GET \/v1\/webhooks: 500 INTERNAL/ }).click();
  await expect(page.getByText('req-of-the-test').first()).toBeVisible();

  expect(sent.length).toBeGreaterThanOrEqual(3);
  expect(sent.join('\n')).not.toContain(operator.email);
  expect(sent.join('\n')).not.toMatch(/"(?:user|ip_address|cookies)"|\?project=/);
});

/** Provokes an error in the application's own code, where a key can be copied. */
async function breakCopying(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', { value: {} });
  });
  const copy = page.getByRole('dialog').getByRole('button', { name: 'Copy', exact: true });
  await Promise.all([faultStored(page), copy.click()]);
}

async function faultStored(page: Page): Promise<void> {
  const answer = await page.waitForResponse((response) => response.url().endsWith('/v1/faults'));
  expect(answer.status()).toBe(200);
}
