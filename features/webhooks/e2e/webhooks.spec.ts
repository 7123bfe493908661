import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook as Verifier } from 'standardwebhooks';
import { expectAccessible, expectNoViolations } from '#e2e/accessible.ts';
import { expect, withOwnInstallation } from '#e2e/fixtures.ts';

type Message = { headers: IncomingHttpHeaders; body: string };

// Errors that other tests make here would be delivered too.
const test = withOwnInstallation();

test('MAINT-7: a webhook is added, tested, its failed and successful deliveries are listed, switched off and removed', async ({
  signIn,
}) => {
  const received: Message[] = [];
  let status = 200;
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      // The receiver answers with a long Retry-After, so that nothing is tried again before the operator asks
      // for it.
      response.writeHead(status, status === 503 ? { 'retry-after': '600' } : {}).end();
    });
  });
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;

  const page = await signIn('operator', { at: '/webhooks' });
  const dialog = page.getByRole('dialog');

  const secret = await test.step('adds one, after its mistakes are pointed out', async () => {
    await expect(page.getByText('No webhooks yet').last()).toBeVisible();
    await page.getByRole('button', { name: 'Add a webhook' }).click();
    await dialog.getByLabel('For', { exact: true }).selectOption('PagerDuty');
    await expect(dialog.getByLabel('Address')).toHaveValue('https://events.pagerduty.com/v2/enqueue');
    await dialog.getByLabel('Integration key').fill('not stored');
    await dialog.getByText('Preview').click();
    await expect(dialog.getByLabel('What was sent')).toContainText('"event_action": "trigger"');
    await expectNoViolations(page, 'a new webhook and its preview');
    await dialog.getByLabel('For', { exact: true }).selectOption('A program (signed JSON)');
    await expect(dialog.getByLabel('What was sent')).toContainText('"type": "diagnostics.error-new"');
    await dialog.getByLabel('Address').fill('https://user:word@example.org');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(dialog.getByRole('alert')).toContainText('Leave user name and password out');
    await dialog.getByLabel('Address').fill(url);
    await dialog.getByLabel('Name').fill('On-call chat');
    await page.keyboard.press('Enter');
    const shown = await dialog.getByLabel('Secret', { exact: true }).inputValue();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.getByRole('button', { name: 'Close anyway' }).click();
    await expect(page.getByText(shown)).toHaveCount(0);
    return shown;
  });

  await test.step('sends a test, which arrives signed', async () => {
    await expect(dialog.getByRole('heading', { name: 'On-call chat' })).toBeVisible();
    await dialog.getByRole('button', { name: 'Send test' }).click();
    await expect(dialog.getByText(/^Test: Answered 200 after \d+\sms\.$/)).toBeVisible();
    const [message] = received;
    const verified = new Verifier(secret).verify(
      message?.body ?? '',
      (message?.headers ?? {}) as Record<string, string>,
    );
    expect(verified).toMatchObject({ type: 'webhook.test' });
    await dialog.getByText('Delivered').click();
    await expect(dialog.getByText('"type": "webhook.test"')).toBeVisible();
    await expectAccessible(page, 'a webhook and its log', dialog);
  });

  await test.step('sees one fail, and does not wait for the next try', async () => {
    status = 503;
    await dialog.getByRole('button', { name: 'Send test' }).click();
    await expect(dialog.getByText(/^Test: Answered 503/)).toBeVisible();
    status = 200;
    await expect(dialog.getByText(/^Failing since/)).toBeVisible();
    await expect(dialog.getByText(/^Answered 503 .*Next attempt in (?:10|9) minutes\./)).toBeVisible();
    await dialog.getByRole('button', { name: 'Retry all' }).click();
    await expect(dialog.getByText('Delivered')).toHaveCount(2);
    await expect(dialog.getByText(/^Failing since/)).toHaveCount(0);
    expect(received.at(-1)?.headers['webhook-id']).toBe(received.at(-2)?.headers['webhook-id']);
  });

  await test.step('switches it off after one question; nothing more can be sent', async () => {
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    const row = page.getByRole('row', { name: /On-call chat/ });
    await expect(row).toContainText('Delivered');
    await row.getByRole('switch').click();
    await dialog.getByRole('button', { name: 'Turn it off' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(row.getByRole('switch')).not.toBeChecked();
    await row.getByRole('button', { name: /On-call chat/ }).click();
    await expect(dialog.getByRole('button', { name: 'Send test' })).toBeDisabled();
  });

  await test.step('removes it after one question', async () => {
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await expect(dialog).toHaveCount(2);
    await dialog.last().getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByRole('button', { name: 'Add a webhook' })).toBeVisible();
    await expect(page.getByRole('row')).toHaveCount(0);
  });

  expect(received).toHaveLength(3);
  receiver.closeAllConnections();
  receiver.close();
});

test('CON-8: an operator chooses by keyboard what they are told by mail; a member is offered nothing', async ({
  api,
  signIn,
}) => {
  const page = await signIn('operator', { at: '/profile' });
  const notices = page.getByRole('group', { name: 'Notices by email' });
  await expect(notices.getByText('This installation sends no email yet.')).toBeVisible();
  const errors = notices.getByRole('checkbox', { name: 'Errors' });
  const saved = await errors.isChecked();
  await errors.press('Space');
  await notices.getByRole('combobox', { name: 'When' }).selectOption('daily');
  await page.getByRole('button', { name: 'Save' }).press('Enter');
  await expect(page.getByText('Notices saved')).toBeVisible();
  await page.reload();
  await expect(errors).toBeChecked({ checked: !saved });
  await expect(notices.getByRole('combobox', { name: 'When' })).toHaveValue('daily');

  const member = await signIn(await api.person('Mia', ['member']), { at: '/profile' });
  await expect(member.getByRole('heading', { name: 'Your access' })).toBeVisible();
  await expect(member.getByRole('group', { name: 'Notices by email' })).toHaveCount(0);
});
