import { emailAddress } from '#contract/email-address.ts';
import { cleanLine } from '#contract/text.ts';

/** Who signed in, by a provider's claims. */
export type Identity = {
  issuer: string;
  subject: string;
  /** Empty where the provider gives none, or declares it unverified. */
  email: string;
  /** Whether the provider has verified this very address. */
  emailVerified: boolean;
  /** The address in the claims, also where it is not accepted: for messages, never for decisions. */
  claimedEmail: string;
  firstName: string;
  lastName: string;
  locale: string | null;
  /** False where not all claims could be read: a field may be empty for that reason alone. */
  complete: boolean;
  /** The memberships that the provider lists; null where they are not known this time. */
  groups: { roles: string[]; groups: string[] } | null;
};

/** Reads the claims whose names the installation chooses. */
export type ReadClaims = (
  claims: Record<string, unknown>,
  /** False where a part of the claims could not be read this time. */
  complete: boolean,
) => {
  /** The full name, where it has a claim of its own. */
  name?: unknown;
  email: unknown;
  groups: Identity['groups'];
};

const standardClaims: ReadClaims = (claims) => ({ email: claims['email'], groups: null });

/**
 * Reads the claims (OpenID Connect Core 5.1); what is missing is empty. A full name alone is split at its
 * comma, where the family comes first, else at its last space; a single word is a first name.
 *
 * @param issuer the key under which people of this provider are stored, a constant for the embedded one
 *   (SES-3)
 */
export function identityOf(
  issuer: string,
  claims: { sub: string; [claim: string]: unknown },
  read: ReadClaims = standardClaims,
  complete = true,
): Identity {
  const chosen = read(claims, complete);
  const given = chosen.name === undefined ? text(claims['given_name'], 100) : '';
  const family = chosen.name === undefined ? text(claims['family_name'], 100) : '';
  const fullName = text(chosen.name ?? claims['name'], 200);
  const split = splitName(fullName);
  const known = given !== '' || family !== '';
  const claimedEmail = addressOf(chosen.email);
  const verified =
    claimedEmail !== '' && claimedEmail === addressOf(claims['email']) ? emailVerifiedIn(claims) : null;
  return {
    issuer,
    subject: claims.sub,
    email: verified === false ? '' : claimedEmail,
    emailVerified: verified === true,
    claimedEmail,
    firstName: known ? given : split.firstName.slice(0, 100),
    lastName: known ? family : split.lastName.slice(0, 100),
    locale: /^(en|de|fr)\b/.exec(text(claims['locale'], 35).toLowerCase())?.[1] ?? null,
    complete,
    groups: chosen.groups,
  };
}

/**
 * Puts the claims of the userinfo endpoint over those of the ID token. `email_verified` is about the address
 * that came with it, so it never passes from one answer to an address of the other.
 */
export function joinClaims<T extends Record<string, unknown>>(
  idToken: T,
  userInfo: Record<string, unknown>,
): T & Record<string, unknown> {
  const address = userInfo['email'];
  const ofUserInfo = emailVerifiedIn(userInfo);
  const own = ofUserInfo === false || address !== undefined ? ofUserInfo : null;
  const same = address === undefined || addressOf(address) === addressOf(idToken['email']);
  const verified = own ?? (same ? emailVerifiedIn(idToken) : null);
  const { email_verified: _either, ...joined }: T & Record<string, unknown> = { ...idToken, ...userInfo };
  return { ...joined, ...(verified === null ? {} : { email_verified: verified }) } as T &
    Record<string, unknown>;
}

/** The claim `email_verified` (OpenID Connect Core 5.1): a boolean, which some providers send as text. */
function emailVerifiedIn({ email_verified: verified }: Record<string, unknown>): boolean | null {
  if (verified === true || verified === 'true') return true;
  return verified === false || verified === 'false' ? false : null;
}

/**
 * The address in the form in which addresses are compared; empty where the value is none. An address that no mail
 * server would accept, such as one with an underscore in its host, still counts if the provider sends it.
 */
function addressOf(value: unknown): string {
  const read = emailAddress.safeParse(value);
  if (read.success) return read.data;
  const address = plainLowerCase(typeof value === 'string' ? value.trim() : '');
  return isAddress(address) ? address : '';
}

function splitName(name: string): { firstName: string; lastName: string } {
  const [family = '', given = '', ...more] = name.split(',').map((part) => part.trim());
  if (family !== '' && given !== '' && more.length === 0) return { firstName: given, lastName: family };
  const [, before = '', last = ''] = /^(.*) (\S+)$/.exec(name) ?? [];
  return before === '' ? { firstName: name, lastName: '' } : { firstName: before, lastName: last };
}

const anyLine = cleanLine(0, Number.MAX_SAFE_INTEGER);

/** A text on one line, cut where it is too long. */
function text(value: unknown, longest: number): string {
  if (typeof value !== 'string') return '';
  return anyLine.parse(value.slice(0, 1_000)).slice(0, longest).toWellFormed().trim();
}

/** Changes the letters A to Z alone: the kelvin sign, and others like it, must not become a k. */
function plainLowerCase(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Whether a text can be stored and shown as an address. */
function isAddress(text: string): boolean {
  return text.length <= 254 && /^[^@\s\p{C}]+@[^@\s\p{C}]+$/u.test(text);
}
