import { cleanLine } from '@portico/contract/text';

/** Who signed in, as a provider's claims say. */
export type Identity = {
  issuer: string;
  subject: string;
  /** Empty where the provider gives none, or says that it is not this person's. */
  email: string;
  /** Whether the provider says that it has made sure of the address. */
  emailVerified: boolean;
  firstName: string;
  lastName: string;
  locale: string | null;
  /** False where not everything could be read: what is empty may be so for that reason alone. */
  complete: boolean;
  /** What the provider says of memberships; null where that is not known this time. */
  groups: { roles: string[]; groups: string[] } | null;
};

/** What is taken from claims whose names are the installation's to choose. */
export type ReadClaims = (
  claims: Record<string, unknown>,
  /** False where a part of them could not be read this time. */
  complete: boolean,
) => {
  /** The full name, where it has a claim of its own. */
  name?: unknown;
  email: unknown;
  groups: Identity['groups'];
};

const standardClaims: ReadClaims = (claims) => ({ email: claims['email'], groups: null });

/**
 * Reads the claims (OpenID Connect Core 5.1); what is missing is empty. A full name alone is split at its comma, where the
 * family comes first, else at its last space; a single word is what somebody is called.
 *
 * @param issuer the key under which people of this provider are kept, a constant for the embedded one (SES-3)
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
  const email =
    claims['email_verified'] === false || claims['email_verified'] === 'false' ? '' : chosen.email;
  const address = plainLowerCase(typeof email === 'string' ? email.trim() : '');
  return {
    issuer,
    subject: claims.sub,
    email: isAddress(address) ? address : '',
    emailVerified:
      isAddress(address) && (claims['email_verified'] === true || claims['email_verified'] === 'true'),
    firstName: known ? given : split.firstName.slice(0, 100),
    lastName: known ? family : split.lastName.slice(0, 100),
    locale: /^(en|de|fr)\b/.exec(text(claims['locale'], 35).toLowerCase())?.[1] ?? null,
    complete,
    groups: chosen.groups,
  };
}

function splitName(name: string): { firstName: string; lastName: string } {
  const [, family, given] = /^([^,]+),\s*([^,]+)$/.exec(name) ?? [];
  if (family !== undefined && given !== undefined)
    return { firstName: given.trim(), lastName: family.trim() };
  const [, before = '', last = ''] = /^(.*)\s(\S+)$/.exec(name) ?? [];
  return before === '' ? { firstName: name, lastName: '' } : { firstName: before.trim(), lastName: last };
}

const anyLine = cleanLine(0, Number.MAX_SAFE_INTEGER);

/** A text on one line, cut where it is too long. */
function text(value: unknown, longest: number): string {
  if (typeof value !== 'string') return '';
  return anyLine.parse(value.slice(0, 1_000)).slice(0, longest).toWellFormed().trim();
}

/** The letters A to Z alone: the sign for kelvin, and others like it, must not become somebody's k. */
function plainLowerCase(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Whether it can be kept and shown as an address; nothing else is made of it. */
function isAddress(text: string): boolean {
  return text.length <= 254 && text.isWellFormed() && /^[^@\s\p{C}]+@[^@\s\p{C}]+$/u.test(text);
}
