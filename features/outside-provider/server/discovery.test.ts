import { expect, it } from 'vitest';
import { discover, stepUpProblem } from './discovery.ts';

const issuer = 'https://login.example.org/';
const document = {
  issuer,
  authorization_endpoint: 'https://login.example.org/a',
  token_endpoint: 'https://login.example.org/t',
  jwks_uri: 'https://login.example.org/k',
};
const first = 'https://login.example.org/.well-known/openid-configuration';

/** The outcome where each of these addresses leads to the next, and what was asked. */
async function outcome(start: string, ...led: string[]): Promise<[string, number]> {
  const asked: string[] = [];
  const fetch = async (address: string): Promise<Response> => {
    asked.push(address);
    const next = led[asked.length - 1];
    return next === undefined
      ? Response.json({ ...document, issuer: start })
      : new Response(null, { status: 302, headers: { location: next } });
  };
  return [(await discover(start, { fetch, timeoutMs: 1_000 })).outcome, asked.length];
}

it('SES-4: discovery follows a redirect on the same host alone', async () => {
  expect(await outcome(issuer)).toEqual(['found', 1]);
  expect(await outcome(issuer, '/realms/a', `${first}/`)).toEqual(['found', 3]);
  expect(await outcome('http://login.example.org', first)).toEqual(['found', 2]);
  for (const away of [
    'https://evil.example.org/',
    'https://login.example.org:8443/',
    'http://login.example.org/',
    'https://user@login.example.org/',
    '//evil.example.org/',
    'file:///etc/passwd',
  ])
    expect([away, ...(await outcome(issuer, away))]).toEqual([away, 'status', 1]);
  expect(await outcome(issuer, '/1', '/2', '/3', '/4', '/5')).toEqual(['status', 4]);
});

it('SES-13: a provider whose metadata lack what a proof takes is named before anybody is refused', () => {
  const problem = (metadata: object, acrValues: string[] = []) =>
    stepUpProblem({ ...document, ...metadata }, { acrValues });
  expect(problem({})).toBeNull();
  expect(problem({ claims_supported: ['sub', 'auth_time'] })).toBeNull();
  expect(problem({ claims_supported: ['sub'] })).toContain('set OIDC_STEP_UP=off');
  expect(stepUpProblem({ ...document, claims_supported: ['sub'] }, null)).toBeNull();
  expect(problem({ acr_values_supported: ['pwd'] }, ['pwd', 'mfa'])).toContain('does not list mfa of');
});
