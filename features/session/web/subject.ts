/**
 * The person of an access token (`sub`, RFC 7519). Read to notice that another person has signed in, never to
 * decide what a person may do: only the server verifies the signature.
 *
 * @returns the empty string where the token is not a JWT with a subject
 */
export function subjectOf(token: string): string {
  return claimOf(token, 'sub');
}

/** The session of an access token (`sid`), to recognize a new one; the empty string where there is none. */
export function sessionIdOf(token: string): string {
  return claimOf(token, 'sid');
}

function claimOf(token: string, name: 'sub' | 'sid'): string {
  const [, payload = ''] = token.split('.');
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (c) =>
      c.charCodeAt(0),
    );
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    const claim = typeof claims === 'object' ? (claims as Record<string, unknown> | null)?.[name] : '';
    return typeof claim === 'string' ? claim : '';
  } catch {
    return '';
  }
}
