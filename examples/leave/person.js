import { createRemoteJWKSet, jwtVerify } from 'jose';

/** Portico's public address, with its path. */
export const porticoUrl = process.env.PORTICO_URL ?? 'http://localhost:3000/portico';
const keys = createRemoteJWKSet(new URL(`${porticoUrl}/.well-known/jwks.json`));

/**
 * The person that Portico asserts (docs/gateway.md); null where the request has not come through it. `X-Portico-Email` and the
 * like would say the same to those who trust the network in between.
 */
export async function personOf(request) {
  try {
    const { payload } = await jwtVerify(request.headers['portico-assertion'], keys, {
      issuer: porticoUrl,
      audience: 'leave',
    });
    return { id: payload.sub, name: payload.name, email: payload.email, rights: payload.rights };
  } catch {
    return null;
  }
}
