import { expect, it } from 'vitest';
import { identityOf } from './identity.ts';

const nobody = {
  issuer: 'https://idp.example',
  subject: '7',
  email: '',
  emailVerified: false,
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
    { email: 'mia@example.org', firstName: 'Mia', lastName: 'Keller', locale: 'de' },
  ],
  [{ name: 'Mia van der Keller' }, { firstName: 'Mia van der', lastName: 'Keller' }],
  [{ name: 'van der Keller, Mia Anna' }, { firstName: 'Mia Anna', lastName: 'van der Keller' }],
  [{ name: 'Mia' }, { firstName: 'Mia' }],
  [{ name: 'Keller,' }, { firstName: 'Keller,' }],
  [{ name: 'Mia Keller, Head, Zurich' }, { firstName: 'Mia Keller, Head,', lastName: 'Zurich' }],
  [{ name: 'Somebody Else', given_name: 'Mia' }, { firstName: 'Mia' }],
  [{ locale: 'dei' }, {}],
  [{ email: 7, name: ['Mia'], given_name: null, locale: {} }, {}],
])('SES-8: the claims %j are read as they are meant', (claims, expected) => {
  expect(identityOf('https://idp.example', { sub: '7', ...claims })).toEqual({ ...nobody, ...expected });
});
