import * as z from 'zod/mini';
import { route } from '#contract/route.ts';
import { id, instant, line } from '#contract/text.ts';
import { uid } from './identity-provider.ts';

// What a person signs in with other than a password, at the embedded provider (SES-10 to SES-12).

const base64url = (most: number) => z.string().check(z.regex(/^[A-Za-z0-9_-]*$/), z.maxLength(most));
const credential = {
  id: base64url(1400),
  rawId: base64url(1400),
  type: z.literal('public-key'),
  // Portico asks for no extensions.
  clientExtensionResults: z.object({}),
};

/** What an authenticator answers to a sign-in: WebAuthn's `AuthenticationResponseJSON`. */
export const passkeyAssertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(4000),
    authenticatorData: base64url(4000),
    signature: base64url(4000),
    userHandle: z.exactOptional(base64url(100)),
  }),
});
export type PasskeyAssertion = z.infer<typeof passkeyAssertion>;

/** A new passkey: WebAuthn's `RegistrationResponseJSON`. */
export const newPasskey = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(4000),
    attestationObject: base64url(40_000),
    transports: z.exactOptional(
      z
        .array(z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']))
        .check(z.maxLength(10)),
    ),
  }),
});
export type NewPasskey = z.infer<typeof newPasskey>;

/** WebAuthn's options in JSON, which only the library in the browser reads. */
const options = z.unknown();

/** A one-time code of six digits, or a recovery code; spaces and hyphens do not count. */
export const typedCode = z.string().check(z.maxLength(40));

export const factorKind = z.enum(['passkey', 'code']);
export type FactorKind = z.infer<typeof factorKind>;

/** What a person needs to add a factor; the one of the other kind is null. */
export const begunFactor = z.object({
  passkey: options,
  code: z.nullable(
    z.object({
      /** Base32, for those who type it. */
      secret: z.string(),
      /** `otpauth://`, for an app on this device. */
      address: z.string(),
      /** Squares of the QR code as the path of an SVG, one unit each, in a square of `size`. */
      qr: z.object({ path: z.string(), size: z.number() }),
    }),
  ),
});
export type BegunFactor = z.infer<typeof begunFactor>;

/** A factor of one kind; the one of the other kind is null. */
export const factorToAdd = z.strictObject({
  passkey: z.nullable(z.strictObject({ name: line(1, 60), answer: newPasskey })),
  code: z.nullable(typedCode),
});
export type FactorToAdd = z.infer<typeof factorToAdd>;

/** Recovery codes of the first factor, or new ones, shown once. Null: the person's present codes go on working. */
const recoveryCodes = z.nullable(z.array(z.string()));

// The sign-in that is under way.

/** Shows that this sign-in has had the right password. */
const step = z.string().check(z.maxLength(1000));
const atSignIn = { access: 'public', closed: 'open', params: uid } as const;

export const passkeyOptionsAtSignIn = route({
  method: 'POST',
  path: '/idp/sign-in/:uid/passkey/begin',
  summary:
    'A challenge for a passkey; for any that the browser has, where there was no password yet (SES-10)',
  ...atSignIn,
  /** Null: before the password. */
  body: z.strictObject({ step: z.nullable(step) }),
  bodyLimit: 4096,
  answer: z.object({ options }),
});

export const signInByPasskey = route({
  method: 'POST',
  path: '/idp/sign-in/:uid/passkey',
  summary:
    'Signs in with a passkey, alone or after the password; answers where the browser goes next (SES-10)',
  ...atSignIn,
  body: z.strictObject({ step: z.nullable(step), answer: passkeyAssertion, remember: z.boolean() }),
  bodyLimit: 32_768,
  answer: z.object({ next: z.string() }),
});

export const signInByCode = route({
  method: 'POST',
  path: '/idp/sign-in/:uid/code',
  summary:
    'A one-time code or a recovery code after the password; answers where the browser goes next (SES-11)',
  ...atSignIn,
  body: z.strictObject({ step, code: typedCode, remember: z.boolean() }),
  bodyLimit: 4096,
  answer: z.object({ next: z.string() }),
});

export const beginFactorAtSignIn = route({
  method: 'POST',
  path: '/idp/sign-in/:uid/factors/begin',
  summary:
    'Begins to add the first factor, where the policy asks for one before the sign-in goes on (SES-12)',
  ...atSignIn,
  body: z.strictObject({ step, kind: factorKind }),
  bodyLimit: 4096,
  answer: begunFactor,
});

export const addFactorAtSignIn = route({
  method: 'POST',
  path: '/idp/sign-in/:uid/factors',
  summary: 'Adds the first factor; answers recovery codes, and where the browser goes next (SES-12)',
  ...atSignIn,
  body: z.strictObject({ step, factor: factorToAdd }),
  bodyLimit: 65_536,
  answer: z.object({ recoveryCodes, next: z.string() }),
});

// The own factors.

const own = { access: 'signed-in', closed: 'open' } as const;

export const passkey = z.object({
  id: z.string(),
  /** The id by which the browser knows the passkey. */
  credentialId: z.string(),
  name: z.string(),
  /** Whether the passkey is also stored in an account of its maker, and so on other devices. */
  synced: z.boolean(),
  /** False: the passkey was made for another address of the installation, and does not work here. */
  usable: z.boolean(),
  createdAt: instant,
  usedAt: z.nullable(instant),
});
export type Passkey = z.infer<typeof passkey>;

export const getOwnFactors = route({
  method: 'GET',
  path: '/v1/account/factors',
  summary: 'What the caller signs in with; 404 where people sign in at another provider (SES-10, SES-11)',
  ...own,
  answer: z.object({
    hasPassword: z.boolean(),
    passkeys: z.array(passkey),
    /** When one-time codes were set up; null: they are not. */
    codeSince: z.nullable(instant),
    recoveryCodesLeft: z.number(),
    /** Whether passkeys work at the installation's address, which has to be a host name with TLS. */
    passkeysWork: z.boolean(),
    /** Host whose passkeys these are. */
    host: z.string(),
    policy: z.enum(['off', 'offered', 'required']),
    /** From when a sign-in asks for a second factor to be set up; null: it does not. */
    dueAt: z.nullable(instant),
  }),
});

export const beginFactor = route({
  method: 'POST',
  path: '/v1/account/factors/begin',
  summary: 'Begins to add a passkey, or one-time codes (SES-10, SES-11)',
  ...own,
  fresh: true,
  body: z.strictObject({ kind: factorKind }),
  bodyLimit: 4096,
  answer: begunFactor,
});

export const addFactor = route({
  method: 'POST',
  path: '/v1/account/factors',
  summary: 'Adds a passkey, or one-time codes; with the first one come recovery codes (SES-10, SES-11)',
  ...own,
  fresh: true,
  body: factorToAdd,
  bodyLimit: 65_536,
  answer: z.object({ recoveryCodes }),
});

const passkeyId = z.object({ passkeyId: id });

export const renamePasskey = route({
  method: 'PUT',
  path: '/v1/account/passkeys/:passkeyId',
  summary: 'Renames a passkey of the caller (SES-10)',
  ...own,
  params: passkeyId,
  body: z.strictObject({ name: line(1, 60) }),
  bodyLimit: 4096,
  answer: 'nothing',
});

export const removePasskey = route({
  method: 'DELETE',
  path: '/v1/account/passkeys/:passkeyId',
  summary: 'Removes a passkey of the caller (SES-10)',
  ...own,
  fresh: true,
  params: passkeyId,
  answer: 'nothing',
});

export const removeOneTimeCodes = route({
  method: 'DELETE',
  path: '/v1/account/one-time-codes',
  summary: 'Removes the one-time codes of the caller (SES-11)',
  ...own,
  fresh: true,
  answer: 'nothing',
});

export const renewRecoveryCodes = route({
  method: 'POST',
  path: '/v1/account/recovery-codes',
  summary: 'Ten new recovery codes; earlier ones stop working (SES-11)',
  ...own,
  fresh: true,
  answer: z.object({ recoveryCodes: z.array(z.string()) }),
});

export const removePassword = route({
  method: 'DELETE',
  path: '/v1/account/password',
  summary: 'Removes the password of a caller who has two passkeys, or a passkey and one-time codes (SES-10)',
  ...own,
  fresh: true,
  answer: 'nothing',
});

// A proof that it is still the same person (SES-13).

export const howToProve = route({
  method: 'POST',
  path: '/v1/account/proof/begin',
  summary: 'By what the caller can prove that it is them (SES-13)',
  ...own,
  answer: z.object({
    /** A challenge for one of the caller's passkeys; null: there is none. */
    passkey: options,
    code: z.boolean(),
    password: z.boolean(),
  }),
});

export const prove = route({
  method: 'POST',
  path: '/v1/account/proof',
  summary:
    'Proves that it is the caller, for ten minutes of this session; the password alone counts only where there is no other factor (SES-13)',
  ...own,
  body: z.discriminatedUnion('by', [
    z.strictObject({ by: z.literal('passkey'), answer: passkeyAssertion }),
    z.strictObject({ by: z.literal('code'), code: typedCode }),
    z.strictObject({ by: z.literal('password'), password: z.string().check(z.maxLength(256)) }),
  ]),
  bodyLimit: 32_768,
  answer: 'nothing',
});

export const resetFactors = route({
  method: 'POST',
  path: '/v1/people/:personId/reset-factors',
  summary:
    'Removes the passkeys, one-time codes and recovery codes of a person, and ends their sessions (SES-12)',
  access: { right: 'PEOPLE_WRITE' },
  fresh: true,
  params: z.object({ personId: id }),
  answer: 'nothing',
});
