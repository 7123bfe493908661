import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Page } from '@playwright/test';
import { test as base } from '#e2e/fixtures.ts';

/** Claims of its ID tokens that are others; null: left out. */
type ForgedToken = { claims: Record<string, unknown> };

/** The claims of each account, by its name. */
type Accounts = Record<string, { claims: Record<string, unknown> }>;

/** A company's own provider in a process of its own. */
export type Provider = {
  /** Environment of an installation that signs in there. */
  settings: Record<string, string>;
  /** From now on it serves that installation, and knows these accounts alone; `forge` changes its ID tokens. */
  serve(installationUrl: string, accounts: Accounts, forge?: ForgedToken): Promise<void>;
  stop(): Promise<void>;
};

const client = { id: 'portico', secret: 'a secret of the client' };

/** Starts the provider of the server's own tests. */
async function startProvider(): Promise<Provider> {
  const script = join(import.meta.dirname, '../../../server/src/testing/outside-provider-process.ts');
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const line = async (name: string): Promise<string> =>
    String((await lines.next()).value).slice(`${name} `.length);
  const issuer = await line('issuer');
  const control = await line('control');
  return {
    settings: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: client.id, OIDC_CLIENT_SECRET: client.secret },
    async serve(installationUrl, accounts, forge) {
      await fetch(`${control}/set`, {
        method: 'POST',
        // Its server ends a connection that is idle for five seconds.
        headers: { connection: 'close' },
        body: JSON.stringify({ client: { ...client, url: installationUrl }, accounts, forge: forge ?? null }),
      });
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

export const test = base.extend<{ provider: Provider }>({
  provider: async ({ playwright: _playwright }, provide) => {
    const provider = await startProvider();
    await provide(provider);
    await provider.stop();
  },
});

/** On the provider's own page. */
export async function signInOutside(page: Page, account: string): Promise<void> {
  await page.getByLabel('Account').fill(account);
  await page.getByRole('button', { name: 'Continue' }).click();
}
