import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from '@playwright/test';
import { startHouse, type House } from './house.ts';

const client = { id: 'portico', secret: 'a secret of the client' };

/** The provider of the server's own tests, in a process of its own. */
async function startProvider(): Promise<{
  issuer: string;
  set(change: object): Promise<void>;
  child: ChildProcess;
}> {
  const script = join(import.meta.dirname, '../server/src/testing/outside-provider-process.ts');
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const line = async (): Promise<string> => String((await lines.next()).value);
  const issuer = await line();
  const control = await line();
  return {
    issuer: issuer.slice('issuer '.length),
    async set(change) {
      await fetch(`${control.slice('control '.length)}/set`, {
        method: 'POST',
        body: JSON.stringify(change),
      });
    },
    child,
  };
}

test('SES-4 SES-7 START-6: the first operator comes in through the company’s provider by the set-up link, and out again; while it is away the page says so', async ({
  browser,
}) => {
  const provider = await startProvider();
  let house: House | null = null;
  try {
    house = await startHouse({
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: client.id,
      OIDC_CLIENT_SECRET: client.secret,
      OIDC_LABEL: 'Example Works',
    });
    const claims = {
      email: 'mia@example.org',
      email_verified: true,
      given_name: 'Mia',
      family_name: 'Keller',
    };
    await provider.set({ client: { ...client, url: house.url }, accounts: { mia: { claims } } });
    const page = await browser.newPage();

    await page.goto(house.setUpLink());
    const setUp = page.getByRole('button', { name: 'Sign in with Example Works' });
    await expect(setUp).toBeVisible();
    await setUp.click();
    await page.getByLabel('Account').fill('mia');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByRole('link', { name: /^People / })).toBeVisible();

    await page.getByRole('button', { name: /account/i }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: /yes|sign me out/i }).click();
    await expect(page.getByRole('heading', { name: 'Company sign-in' })).toBeVisible();

    provider.child.kill();
    await once(provider.child, 'exit');
    await house.restart();
    await page.goto(`${house.url}/people`);
    await expect(page.getByRole('heading', { name: 'The sign-in service does not answer' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Try again' })).toHaveAttribute(
      'href',
      /returnTo=%2Fpeople$/,
    );
    await page.close();
  } finally {
    await house?.stop();
    provider.child.kill();
  }
});
