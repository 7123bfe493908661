import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLogger } from '#server/platform/log/logger.ts';
import { systemClock } from '#server/platform/time/clock.ts';
import { createPortal, lemonLdap, type Portal } from '#server/testing/portal-provider.ts';
import { clientAuthWays } from './client-authentication.ts';
import type { ProviderConnection } from './provider-client.ts';
import { createRelyingParty, type RelyingParty } from './relying-party.ts';

const issuer = 'https://portal.example.org';
const callbackUrl = 'https://portico.example.org/auth/callback';

type Line = { level: number; msg: string; [field: string]: unknown };

function portico(
  portal: Portal,
  settings: Partial<ProviderConnection> = {},
): { relyingParty: RelyingParty; log: Line[] } {
  const log: Line[] = [];
  const { id, secret } = portal.state.client;
  const connection: ProviderConnection = {
    clientId: id,
    clientSecret: () => Promise.resolve(secret),
    clientAuth: 'auto',
    clientKey: null,
    pushesRequests: false,
    async metadata() {
      const answer = await portal.answer(new Request(`${issuer}/.well-known/openid-configuration`));
      return (await answer.json()) as Awaited<ReturnType<ProviderConnection['metadata']>>;
    },
    fetch: (address, { body, ...others }) =>
      portal.answer(new Request(address, { ...others, body: body ?? null })),
    expectAnswer: () => Promise.resolve(),
    hintsAtSignOut: true,
    timeoutMs: 5_000,
    issuerKey: issuer,
    scope: 'openid',
    wantsUserInfo: () => 'no',
    ...settings,
  };
  const logger = createLogger('debug', { write: (line) => log.push(JSON.parse(line) as Line) });
  const options = {
    callbackUrl,
    publicUrl: 'https://portico.example.org',
    acrValues: [],
    clock: systemClock,
    logger,
  };
  return { relyingParty: createRelyingParty(connection, options), log };
}

/** One sign-in; answers whose it was. */
async function signIn(portal: Portal, relyingParty: RelyingParty): Promise<string> {
  const request = { state: 's'.repeat(32), nonce: 'n'.repeat(32) };
  const { url, codeVerifier } = await relyingParty.authorizationUrl({ ...request, proves: false });
  const answer = await portal.answer(new Request(url, { headers: { accept: 'text/html' } }));
  const callback = new URL(answer.headers.get('location') ?? '');
  const { claims } = await relyingParty.finish(callback, { ...request, codeVerifier });
  return claims.sub;
}

describe('the client shows its secret', () => {
  const odd = '-_.~*!';
  it.each([true, false])(
    'SES-4: in the header as it is, where all of it means itself to a provider that decodes (%s)',
    async (decodes) => {
      const client = { id: `portico${odd}`, secret: `se${odd}'()cret/=&,;?@$ x` };
      const portal = await createPortal(issuer, { client, decodes, accepts: ['basic'], listed: null });
      expect(await signIn(portal, portico(portal).relyingParty)).toBe('dwho');
      expect(portal.asked).toEqual(['authorization_code basic 200']);
    },
  );

  const secrets = fc.string({
    unit: fc.constantFrom(...'aZ9-_.~*!%+: &=/é€😀'),
    minLength: 1,
    maxLength: 20,
  });

  it('SES-4: so that every secret signs in, refreshes and revokes at providers that decode and at those that do not', async () => {
    const accepts = fc.constantFrom<('basic' | 'post')[][]>(['basic'], ['post'], ['basic', 'post']);
    const listed = fc.constantFrom(null, ['client_secret_basic', 'client_secret_post'], lemonLdap.listed);
    await fc.assert(
      fc.asyncProperty(
        secrets,
        secrets,
        fc.boolean(),
        fc.boolean(),
        accepts,
        listed,
        async (id, secret, decodes, namesErrors, ways, methods) => {
          // Without decoding a colon in the id cannot be distinguished from the one that follows it.
          fc.pre(!id.includes(':') || decodes || ways.includes('post'));
          const state = { client: { id, secret }, decodes, namesErrors, accepts: ways, listed: methods };
          const portal = await createPortal(issuer, state);
          const { relyingParty } = portico(portal);
          expect(await signIn(portal, relyingParty)).toBe('dwho');
          const tries = portal.asked.length;
          expect(tries).toBeLessThanOrEqual(3);
          expect((await relyingParty.refresh('refresh', 'dwho')).refusal).toBeNull();
          await relyingParty.revoke('refresh');
          // What was accepted once is used from then on.
          expect(portal.asked.slice(tries)).toEqual([
            expect.stringMatching(/^refresh_token \w+ 200$/),
            expect.stringMatching(/^revocation \w+ 200$/),
          ]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('SES-4: in the body where the provider lists that first, and as OIDC_CLIENT_AUTH sets it', async () => {
    const credentials = { clientId: 'portico', clientSecret: 'a+b' };
    const both = { token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'] };
    const other = { token_endpoint_auth_methods_supported: ['private_key_jwt', 'client_secret_basic'] };
    expect(clientAuthWays('auto', both, credentials)).toEqual(['post', 'basic', 'basic-verbatim']);
    expect(clientAuthWays('auto', other, credentials)).toEqual(['basic', 'post', 'basic-verbatim']);
    expect(clientAuthWays('auto', {}, { ...credentials, clientSecret: 'a-b' })).toEqual(['basic', 'post']);
    expect(clientAuthWays('basic', both, credentials)).toEqual(['basic', 'basic-verbatim']);
    expect(clientAuthWays('post', other, credentials)).toEqual(['post']);

    const portal = await createPortal(issuer, { accepts: ['post'], listed: null });
    const forced = portico(portal, { clientAuth: 'basic' }).relyingParty;
    await expect(signIn(portal, forced)).rejects.toMatchObject({ reason: 'client-refused' });
    expect(portal.asked).toEqual(['authorization_code basic 401']);
  });

  it('SES-4: in another way by itself, also where the refusal used the code up: the next try goes well', async () => {
    const portal = await createPortal(issuer, { accepts: ['post'], listed: null, spendsCodes: true });
    const { relyingParty, log } = portico(portal);
    await expect(signIn(portal, relyingParty)).rejects.toMatchObject({ reason: 'code-refused' });
    expect(portal.asked).toEqual(['authorization_code basic 401', 'authorization_code post 400']);
    expect(await signIn(portal, relyingParty)).toBe('dwho');
    expect(portal.asked.slice(2)).toEqual(['authorization_code post 200']);
    expect(log.map(({ level, way }) => [level, way])).toEqual([[30, 'post']]);
  });

  it.each([true, false])(
    'SES-4: in vain: the refusal names the client and what to do, and no secret (error in the body: %s)',
    async (namesErrors) => {
      const portal = await createPortal(issuer, { namesErrors });
      const wrong = portico(portal, { clientSecret: () => Promise.resolve('hunter2+%') });
      const refusal = await signIn(portal, wrong.relyingParty).catch((error: unknown) => error as Error);
      expect(refusal).toMatchObject({
        reason: 'client-refused',
        message: expect.stringMatching(/the client "portico".*OIDC_CLIENT_SECRET.*oidc check/),
      });
      expect(portal.asked).toEqual(['post', 'basic', 'basic'].map((way) => `authorization_code ${way} 401`));
      expect(JSON.stringify([wrong.log, (refusal as Error).message])).not.toContain('hunter2');
    },
  );
});
