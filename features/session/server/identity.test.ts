import { expect, it } from 'vitest';
import { identityOf, joinClaims, type ReadClaims } from './identity.ts';

const empty = {
  issuer: 'https://idp.example',
  subject: '7',
  email: '',
  emailVerified: false,
  claimedEmail: '',
  firstName: '',
  lastName: '',
  locale: null,
  complete: true,
  groups: null,
};

it.each([
  [{}, {}],
  [
    { email: ' Mia@Example.org ', given_name: 'Mia', family_name: 'Keller', locale: 'de-CH' },
    {
      email: 'mia@example.org',
      claimedEmail: 'mia@example.org',
      firstName: 'Mia',
      lastName: 'Keller',
      locale: 'de',
    },
  ],
  [{ name: 'Mia van der Keller' }, { firstName: 'Mia van der', lastName: 'Keller' }],
  [{ name: 'van der Keller, Mia Anna' }, { firstName: 'Mia Anna', lastName: 'van der Keller' }],
  [{ name: 'Mia' }, { firstName: 'Mia' }],
  [{ name: 'Keller,' }, { firstName: 'Keller,' }],
  [{ name: 'Mia Keller, Head, Zurich' }, { firstName: 'Mia Keller, Head,', lastName: 'Zurich' }],
  [{ name: 'Somebody Else', given_name: 'Mia' }, { firstName: 'Mia' }],
  [{ name: 'Keller ,Mia' }, { firstName: 'Mia', lastName: 'Keller' }],
  [{ name: ' , Mia' }, { firstName: ',', lastName: 'Mia' }],
  [{ name: 'Somebody Else', family_name: 'Keller' }, { lastName: 'Keller' }],
  [{ name: ' Mia\n  Keller ' }, { firstName: 'Mia', lastName: 'Keller' }],
  [{ given_name: `${'M'.repeat(99)} Anna` }, { firstName: 'M'.repeat(99) }],
  [
    { name: `${'M'.repeat(101)} ${'K'.repeat(101)}` },
    { firstName: 'M'.repeat(100), lastName: 'K'.repeat(98) },
  ],
  [{ name: `${'K'.repeat(101)},M` }, { firstName: 'M', lastName: 'K'.repeat(100) }],
  // What comes after a thousand characters is not looked at.
  [{ given_name: `${' '.repeat(1_000)}Mia` }, {}],
  [{ locale: 'dei' }, {}],
  [{ email: 'no address', email_verified: true }, {}],
  [{ email: 'mia@example.org\u0000' }, {}],
  [{ email: 'mi\ud800a@example.org' }, {}],
  [{ email: `${'m'.repeat(243)}@example.org` }, {}],
  [
    { email: `${'m'.repeat(242)}@example.org` },
    { email: `${'m'.repeat(242)}@example.org`, claimedEmail: `${'m'.repeat(242)}@example.org` },
  ],
  [{ email: 7, name: ['Mia'], given_name: null, locale: {} }, {}],
])('SES-8: the claims %j are read as they are meant', (claims, expected) => {
  expect(identityOf('https://idp.example', { sub: '7', ...claims })).toEqual({ ...empty, ...expected });
});

it('SES-4: a full name of the installation’s choice stands for the names of the standard', () => {
  const claims = { sub: '7', displayName: 'Mia Keller', given_name: 'Other', family_name: 'Person' };
  const read: ReadClaims = ({ displayName: name }) => ({ name, email: undefined, groups: null });
  expect(identityOf('https://idp.example', claims, read)).toEqual({
    ...empty,
    firstName: 'Mia',
    lastName: 'Keller',
  });
});

/** As with `OIDC_CLAIM_EMAIL=email,preferred_username`, or only the latter. */
const fromUsername: ReadClaims = (claims) => ({ email: claims['preferred_username'], groups: null });
const address = 'op@example.org';

it.each([
  ['its own', { email: address, email_verified: true }, undefined, [address, true]],
  ['its own, as text', { email: address, email_verified: 'true' }, undefined, [address, true]],
  ['a number', { email: address, email_verified: 1 }, undefined, [address, false]],
  ['another text', { email: address, email_verified: 'yes' }, undefined, [address, false]],
  ['nothing', { email: address }, undefined, [address, false]],
  ['the opposite', { email: address, email_verified: false }, undefined, ['', false]],
  ['the opposite, as text', { email: address, email_verified: 'false' }, undefined, ['', false]],
  [
    'another claim',
    { email: 'mallory@example.org', email_verified: true, preferred_username: address },
    fromUsername,
    [address, false],
  ],
  ['no address', { email_verified: true, preferred_username: address }, fromUsername, [address, false]],
  [
    'the same in capitals',
    { email: ' OP@Example.org', email_verified: true, preferred_username: address },
    fromUsername,
    [address, true],
  ],
  [
    'the opposite of another claim',
    { email: 'mallory@example.org', email_verified: false, preferred_username: address },
    fromUsername,
    [address, false],
  ],
  [
    'the opposite of the same',
    { email: address, email_verified: false, preferred_username: address },
    fromUsername,
    ['', false],
  ],
] as const)('SES-4: email_verified that vouches for %s', (_what, claims, read, [email, emailVerified]) => {
  const identity = identityOf('https://idp.example', { sub: '7', ...claims }, read);
  expect(identity).toMatchObject({ email, emailVerified, claimedEmail: address });
});

it.each([
  ['another address', { email: 'a@example.org', email_verified: true }, { email: address }, undefined],
  ['no address', { email: address }, { email_verified: true }, undefined],
  ['no address, and none before', {}, { email_verified: true }, undefined],
  ['the same address', { email: address, email_verified: true }, { email: 'OP@example.org' }, true],
  ['all of it', { email: address }, { email: address, email_verified: true }, true],
  ['nothing of it', { email: address, email_verified: true }, { groups: ['staff'] }, true],
  ['a doubt', { email: address, email_verified: true }, { email_verified: false }, false],
  [
    'a doubt with it',
    { email: address, email_verified: true },
    { email: address, email_verified: false },
    false,
  ],
])(
  'SES-4: `email_verified` of one answer does not hold for an address of the other: userinfo has %s',
  (_what, first, more, verified) => {
    expect(joinClaims({ sub: '7', ...first }, more)['email_verified']).toBe(verified);
  },
);
