import * as z from 'zod/mini';
import { route } from '#contract/route.ts';
import { instant } from '#contract/text.ts';

/** The header, `1`, of every call on the session cookie: no cross-site form can send it (SES-2). */
export const sessionHeader = 'x-portico';

export const login = route({
  method: 'GET',
  path: '/auth/login',
  summary: 'Starts a sign-in at the provider; `returnTo` is a same-origin path or ignored (SES-1)',
  access: 'public',
  closed: 'open',
  query: z.object({
    // A wrong value does not prevent a sign-in.
    returnTo: z.catch(z.optional(z.string()), undefined),
    /** Present on the second try, which is the last. */
    again: z.optional(z.literal('1')),
    /** Present once the browser was sent from another host name to that of PUBLIC_URL. */
    moved: z.optional(z.literal('1')),
    /** Present once the browser has stored the part of the address that would be lost on the way. */
    stored: z.optional(z.literal('1')),
  }),
  answer: { raw: 'redirect' },
});

export const beginProof = route({
  method: 'GET',
  path: '/auth/prove',
  summary:
    'Has the person of the session cookie sign in again at another provider, for a proof that it is them (SES-13)',
  access: 'public',
  closed: 'open',
  answer: { raw: 'redirect' },
});

/** The parameter of the embedded provider's sign-in, and of its page, for the address that the sign-in leads to. */
export const returnToParameter = 'return_to';

export const wayBack = route({
  method: 'GET',
  path: '/auth/way-back',
  summary: 'A page that goes to the address which this browser tab stored before the sign-in (SES-1)',
  access: 'public',
  closed: 'open',
  answer: { raw: 'text/html' },
});

export const callback = route({
  method: 'GET',
  path: '/auth/callback',
  summary: 'Where the provider sends the browser back to (SES-1)',
  access: 'public',
  closed: 'open',
  answer: { raw: 'redirect' },
});

export const accessToken = z.object({ accessToken: z.string(), expiresAt: instant, serverTime: instant });

export const renewToken = route({
  method: 'POST',
  path: '/auth/token',
  summary:
    'A fresh access token for the session of the cookie; with the last one as bearer, expired or not, SESSION_ENDED says in `reason` why (SES-2)',
  access: 'session',
  closed: 'open',
  hosts: true,
  answer: accessToken,
});

export const signOut = route({
  method: 'POST',
  path: '/auth/logout',
  summary:
    "Ends the session; answers the provider's end-session address, where the browser goes next (SES-7)",
  access: 'session',
  closed: 'open',
  hosts: true,
  answer: z.object({ next: z.string() }),
});

export const beginSetUp = route({
  method: 'POST',
  path: '/v1/set-up/sign-in',
  summary:
    'Starts the sign-in that makes the first operator, where people sign in at another provider; 404 elsewhere (START-6, SES-4)',
  access: 'one-time-link',
  closed: 'open',
  body: z.strictObject({ token: z.string().check(z.regex(/^[A-Za-z0-9_-]{20,128}$/)) }),
  bodyLimit: 4096,
  answer: z.object({ next: z.string() }),
});

export const backChannelLogout = route({
  method: 'POST',
  path: '/auth/backchannel-logout',
  summary:
    "Ends the sessions that another provider's logout token names; a form with `logout_token` (OpenID Connect Back-Channel Logout 1.0, SES-7)",
  access: 'public',
  closed: 'open',
  bodyLimit: 131_072,
  answer: { raw: 'application/json' },
});

export const setMapCookie = route({
  method: 'POST',
  path: '/cookies/token',
  summary: 'Sets the cookie that opens the map services (SES-5)',
  access: 'signed-in',
  closed: 'open',
  answer: 'nothing',
});

export const removeMapCookie = route({
  method: 'DELETE',
  path: '/cookies/token',
  summary: 'Removes the map cookie; idempotent, also with an expired or missing bearer (SES-5)',
  access: 'public',
  closed: 'open',
  answer: 'nothing',
});

export const jwks = route({
  method: 'GET',
  path: '/.well-known/jwks.json',
  summary: 'The public keys of the access tokens (RFC 7517)',
  access: 'public',
  closed: 'open',
  answer: { raw: 'application/json' },
});

export const retainedDraftsKey = route({
  method: 'GET',
  path: '/v1/kept-drafts/key',
  summary:
    'The key, 32 bytes in base64url, by which a browser encrypts what the caller leaves on a device when they sign out; a person’s alone (SES-7)',
  access: 'signed-in',
  closed: 'open',
  answer: z.object({ key: z.string() }),
});
