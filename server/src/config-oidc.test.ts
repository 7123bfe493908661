import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';
import { parseClaimPaths } from './config-claim-paths.ts';
import { writeClaimPath } from '#features/outside-provider/server/read-claims.ts';

const provider = {
  OIDC_ISSUER: 'https://login.example.org/realms/company',
  OIDC_CLIENT_ID: 'portico',
  OIDC_CLIENT_SECRET: 'very secret',
};

function errorOf(environment: Record<string, string>): string {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'no error';
}

it('SES-4 START-5: takes a provider with as little as it needs, and with all that can be set', () => {
  expect(readConfig(provider).oidc).toEqual({
    issuer: provider.OIDC_ISSUER,
    clientId: 'portico',
    clientSecret: 'very secret',
    clientAuth: 'auto',
    clientKey: null,
    pushesRequests: false,
    scope: 'openid profile email',
    label: null,
    claims: { name: null, email: [['email']], roles: [['roles']], groups: [['groups']] },
    claimsFrom: 'auto',
    stepUp: { acrValues: [] },
    operatorEmail: null,
    signOutHint: 'id_token',
    timeoutMs: 10_000,
  });
  const configured = readConfig({
    ...provider,
    OIDC_SIGN_OUT_HINT: 'none',
    OIDC_SCOPE: 'openid  offline_access',
    OIDC_LABEL: 'Example Works',
    OIDC_CLAIM_ROLES: 'realm_access.roles, resource_access.my\\.app.roles',
    OIDC_ROLES_FROM: 'userinfo',
    OIDC_ACR_VALUES: ' urn:example:silver  mfa',
    OPERATOR_EMAIL: 'Ada@Example.org',
  });
  expect(configured.oidc).toMatchObject({
    scope: 'openid offline_access',
    label: 'Example Works',
    claims: {
      roles: [
        ['realm_access', 'roles'],
        ['resource_access', 'my.app', 'roles'],
      ],
    },
    claimsFrom: 'userinfo',
    stepUp: { acrValues: ['urn:example:silver', 'mfa'] },
    signOutHint: 'none',
    operatorEmail: 'ada@example.org',
  });
  expect(readConfig({ ...provider, OIDC_STEP_UP: 'off' }).oidc?.stepUp).toBeNull();
  expect(configured.operator).toBeNull();
});

it.each<[Record<string, string>, RegExp]>([
  [{ OIDC_CLIENT_ID: 'portico' }, /^OIDC_ISSUER is not set; .*OIDC_CLIENT_ID is set/],
  [{ ...provider, OIDC_CLIENT_ID: '' }, /^OIDC_CLIENT_ID is not set/],
  [{ ...provider, OIDC_CLIENT_SECRET: '' }, /^OIDC_CLIENT_SECRET is not set/],
  [{ ...provider, OIDC_ISSUER: 'login.example.org' }, /^OIDC_ISSUER holds/],
  [{ ...provider, OIDC_ISSUER: 'http://login.example.org' }, /^OIDC_ISSUER holds .* https/],
  [{ ...provider, OIDC_ISSUER: 'https://login.example.org?a=b' }, /^OIDC_ISSUER holds/],
  [
    { ...provider, OIDC_ISSUER: 'https://u:pw@login.example.org' },
    /^OIDC_ISSUER holds "\(an address with a password\)"/,
  ],
  [
    { ...provider, OIDC_ISSUER: 'https://login.example.org/.well-known/openid-configuration' },
    /the issuer alone: https:\/\/login\.example\.org\.$/,
  ],
  [{ ...provider, OIDC_SCOPE: 'profile email' }, /^OIDC_SCOPE holds .*openid among them/],
  [{ ...provider, OIDC_SCOPE: 'openid "x"' }, /^OIDC_SCOPE holds/],
  [{ ...provider, OIDC_CLAIM_GROUPS: 'a..b' }, /^OIDC_CLAIM_GROUPS holds/],
  [{ ...provider, OIDC_CLAIM_NAME: 'a\\' }, /^OIDC_CLAIM_NAME holds/],
  [{ ...provider, OIDC_ROLES_FROM: 'access_token' }, /^OIDC_ROLES_FROM holds/],
  [{ ...provider, OIDC_LABEL: ' ' }, /^OIDC_LABEL holds/],
  [
    { ...provider, OPERATOR_EMAIL: 'a@example.org', OPERATOR_PASSWORD: 'x'.repeat(12) },
    /^OPERATOR_PASSWORD holds "\(a secret\)"/,
  ],
  [{ ...provider, OPERATOR_EMAIL: 'mia@ex\u0430mple.org' }, /^OPERATOR_EMAIL holds .*two scripts/],
])('SES-4 START-5: %j stops the start with one line', (environment, line) => {
  expect(errorOf(environment)).toMatch(line);
  expect(errorOf(environment)).not.toContain('very secret');
});

it('SES-4: a claim path is read as it was written', () => {
  for (const path of [['a'], ['realm_access', 'roles'], ['https://example.org/a,b', 'c\\d']])
    expect(parseClaimPaths(writeClaimPath(path))).toEqual([path]);
});

it('SES-4: takes a key of its own in place of the secret, where it signs with it', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const { OIDC_CLIENT_SECRET: _secret, ...others } = provider;
  const signs = { ...others, OIDC_CLIENT_AUTH: 'private_key_jwt' };
  const { oidc } = readConfig({ ...signs, OIDC_CLIENT_KEY: pem, OIDC_PUSHED_REQUESTS: 'true' });
  expect(oidc).toMatchObject({ clientAuth: 'private_key_jwt', clientSecret: '', pushesRequests: true });
  expect(oidc?.clientKey?.equals(privateKey)).toBe(true);
  expect(errorOf(signs)).toContain('OIDC_CLIENT_KEY');
  expect(errorOf({ ...others, OIDC_CLIENT_KEY: pem })).toContain('OIDC_CLIENT_SECRET');
  const weak = generateKeyPairSync('rsa', { modulusLength: 1_024 }).privateKey;
  const weakPem = weak.export({ type: 'pkcs8', format: 'pem' }).toString();
  const message = errorOf({ ...signs, OIDC_CLIENT_KEY: weakPem });
  expect(message).toContain('a private key in PEM');
  expect(message).not.toContain('BEGIN PRIVATE KEY');
});
