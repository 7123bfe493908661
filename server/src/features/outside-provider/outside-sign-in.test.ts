import { describe, expect, it } from 'vitest';
import { getProfile } from '@portico/contract/profile';
import { startApp, type StartOptions, type TestApp } from '../../testing/app.ts';
import { engines } from '../../testing/fresh-database.ts';
import {
  openOutsideBrowser,
  registerAt,
  startOutsideProvider,
  type OutsideAccount,
  type OutsideBrowser,
  type OutsideProvider,
} from '../../testing/outside-provider.ts';

const mia: OutsideAccount = {
  claims: { email: 'mia@example.org', email_verified: true, given_name: 'Mia', family_name: 'Keller' },
};

async function house(
  options: StartOptions,
  accounts: Record<string, OutsideAccount>,
  settings: Partial<OutsideProvider['settings']> = {},
): Promise<{ app: TestApp; provider: OutsideProvider; browser: OutsideBrowser }> {
  const provider = await startOutsideProvider(accounts);
  const app = await startApp({ ...options, config: { oidc: { ...provider.settings, ...settings } } });
  await registerAt(provider, app);
  return { app, provider, browser: openOutsideBrowser(app, provider) };
}

async function profileIn(app: TestApp, browser: OutsideBrowser) {
  const { accessToken } = (await browser.renew()).body;
  return (await app.call(getProfile, { params: { userId: 'current' } }, { accessToken })).body;
}

describe.each(engines)('signing in at an outside provider on %s', (engine) => {
  it('SES-4: makes the person at the first sign-in, and finds them again at the next', async () => {
    const { app, browser } = await house({ engine }, { 'kc-7': mia });

    expect(await browser.signInAs('kc-7', '/auth/login?returnTo=/flags')).toBe('/flags');
    const first = await profileIn(app, browser);
    expect(first).toMatchObject({ email: 'mia@example.org', firstName: 'Mia', lastName: 'Keller' });

    expect(await browser.signInAs('kc-7')).toBe('/');
    expect((await profileIn(app, browser)).id).toBe(first.id);
  });
});
