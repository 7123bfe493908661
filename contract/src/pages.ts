import * as z from 'zod/mini';
import { route } from './route.ts';

// The HTML pages. Each is rendered per request; the application's own screens are the web's
// (`web/src/features.ts`).

const page = { raw: 'text/html' } as const;

export const signInPage = route({
  method: 'GET',
  path: '/idp/sign-in/:uid',
  summary: "The embedded provider's sign-in page (SES-3)",
  access: 'public',
  closed: 'open',
  params: z.object({ uid: z.string().check(z.maxLength(128)) }),
  answer: page,
});

/**
 * Why a sign-in failed: the person is blocked, it failed twice, the provider does not answer, its answer is
 * not valid, or it does not accept Portico as its client. `signed-out`: the person has just signed out, where
 * the provider has no page for that. `not-operator`: signed in, but without the role that OPERATOR_EMAIL
 * would have given to a verified address. `userinfo`: signed in, but the provider did not send all claims. `cookies`,
 * `hand-over`: at the host of an application the browser sends no cookies back, or the code that it came with is for
 * another host, used or too old.
 */
export const signInFailure = z.enum([
  'blocked',
  'failed',
  'unreachable',
  'refused',
  'misconfigured',
  'signed-out',
  'not-operator',
  'userinfo',
  'cookies',
  'hand-over',
]);
export type SignInFailure = z.infer<typeof signInFailure>;

export const signInFailedPage = route({
  method: 'GET',
  path: '/auth/failed',
  summary: 'Says why a sign-in leads nowhere, instead of starting over without end (SES-1, SES-8)',
  access: 'public',
  closed: 'open',
  query: z.object({
    reason: z.catch(signInFailure, 'failed'),
    /** Where the next sign-in attempt leads; checked when that attempt begins. */
    returnTo: z.catch(z.optional(z.string()), undefined),
  }),
  answer: page,
});

/**
 * How a sign-in at another provider ended that had to prove who the person is (SES-13). `person`: another person
 * signed in. `no-time`: the ID token has no time of the sign-in. `old`: that time is more than ten minutes ago.
 * `level`: the claim `acr` is none of the requested values. `failed`: anything else.
 */
export const proofOutcome = z.enum(['proved', 'person', 'no-time', 'old', 'level', 'failed']);
export type ProofOutcome = z.infer<typeof proofOutcome>;

export const proofEndedPage = route({
  method: 'GET',
  path: '/auth/proof-ended',
  summary: 'The window that a proof at another provider ends in; it reports to the one that waits (SES-13)',
  access: 'public',
  closed: 'open',
  query: z.object({ outcome: z.catch(proofOutcome, 'failed') }),
  answer: page,
});

export const setUpPage = route({
  method: 'GET',
  path: '/set-up',
  summary: 'Where the first operator is created; the token stands in the fragment (START-6)',
  access: 'public',
  closed: 'open',
  answer: page,
});

export const invitationPage = route({
  method: 'GET',
  path: '/invitation',
  summary: 'Where an invitation is accepted; the token stands in the fragment (SES-3)',
  access: 'public',
  closed: 'open',
  answer: page,
});

export const maintenancePage = route({
  method: 'GET',
  path: '/system-maintenance',
  summary: 'The maintenance page; sends back to where people were when there is no maintenance (MAINT-3)',
  access: 'public',
  closed: 'open',
  query: z.object({ from: z.catch(z.optional(z.string()), undefined) }),
  answer: page,
});

export const applicationPage = route({
  method: 'GET',
  path: '/*',
  summary: 'Every screen of the application; a signed-out person goes to sign-in and comes back (SES-1)',
  access: 'public',
  closed: 'open',
  answer: page,
});
