/**
 * The person of an access token (`sub`, RFC 7519). Read to notice that somebody else has signed in, never to decide what
 * anybody may do: the signature is the server's to verify.
 *
 * @returns the empty string where the token is not a JWT with a subject
 */
export function subjectOf(token: string): string {
  const [, payload = ''] = token.split('.');
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (c) =>
      c.charCodeAt(0),
    );
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    const subject = typeof claims === 'object' && claims !== null && 'sub' in claims ? claims.sub : '';
    return typeof subject === 'string' ? subject : '';
  } catch {
    return '';
  }
}
