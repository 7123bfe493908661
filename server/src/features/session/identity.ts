/** Who signed in, as the claims of a provider's ID token say. */
export type Identity = {
  issuer: string;
  subject: string;
  email: string;
  firstName: string;
  lastName: string;
  locale: string | null;
};

/**
 * Reads the standard claims (OpenID Connect Core 5.1); what is missing is empty. A full name alone is split at its last space.
 *
 * @param issuer the key under which people of this provider are kept, a constant for the embedded one (SES-3)
 */
export function identityOf(issuer: string, claims: { sub: string; [claim: string]: unknown }): Identity {
  const text = (name: string, longest: number): string => {
    const value = claims[name];
    return typeof value === 'string' ? value.trim().slice(0, longest) : '';
  };
  const [, before = '', last = ''] = /^(?:(.*)\s)?(\S+)$/s.exec(text('name', 200)) ?? [];
  const known = text('given_name', 100) !== '' || text('family_name', 100) !== '';
  return {
    issuer,
    subject: claims.sub,
    email: text('email', 254).toLowerCase(),
    firstName: known ? text('given_name', 100) : before.trim().slice(0, 100),
    lastName: known ? text('family_name', 100) : last.slice(0, 100),
    locale: /^(en|de|fr)\b/.exec(text('locale', 35).toLowerCase())?.[1] ?? null,
  };
}
