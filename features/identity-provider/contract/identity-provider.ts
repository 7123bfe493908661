import * as z from 'zod/mini';
import { route } from '#contract/route.ts';
import { emailAddress, typedAddress } from '#contract/email-address.ts';
import { id, instant, line } from '#contract/text.ts';

// The embedded provider's own pages (SES-3, START-6): sign-in, set-up, invitation.

/** 12 characters at least; the server refuses common ones (SES-3). Never trimmed. */
export const newPassword = z.string().check(z.minLength(12), z.maxLength(256));

const linkToken = z.string().check(z.regex(/^[A-Za-z0-9_-]{20,128}$/));

/** The sign-in that is under way. */
export const uid = z.object({ uid: z.string().check(z.regex(/^[A-Za-z0-9_-]{1,128}$/)) });

/** What a sign-in needs after the password; null: nothing. */
export const secondStep = z.nullable(
  z.object({
    step: z.string(),
    /** `prove` one of the account's factors, or `enrol`: the policy asks for a first one. */
    kind: z.enum(['prove', 'enrol']),
    passkey: z.boolean(),
    code: z.boolean(),
    /** For how long this browser can be remembered; 0: it cannot. */
    rememberDays: z.number(),
  }),
);
export type SecondStep = NonNullable<z.infer<typeof secondStep>>;

export const submitSignIn = route({
  method: 'POST',
  path: '/idp/sign-in/:uid',
  summary:
    'Email and password for the sign-in that is under way; answers where the browser goes next, or what it needs first',
  access: 'public',
  closed: 'open',
  params: uid,
  body: z.strictObject({
    email: typedAddress,
    password: z.string().check(z.maxLength(256)),
  }),
  bodyLimit: 4096,
  /** `next` is empty where `second` is asked for first. */
  answer: z.object({ next: z.string(), second: secondStep }),
});

export const claimSetUp = route({
  method: 'POST',
  path: '/v1/set-up',
  summary: 'Creates the first operator with the single-use set-up token; 404 once there is one (START-6)',
  access: 'one-time-link',
  closed: 'open',
  body: z.strictObject({
    token: linkToken,
    email: emailAddress,
    firstName: line(0, 100),
    lastName: line(0, 100),
    password: newPassword,
  }),
  bodyLimit: 8192,
  answer: z.object({ next: z.string() }),
  status: 201,
});

export const readInvitation = route({
  method: 'POST',
  path: '/v1/invitations/read',
  summary: 'Whom a link that sets a password is for, so that its page can greet them',
  access: 'one-time-link',
  closed: 'open',
  body: z.strictObject({ token: linkToken }),
  bodyLimit: 4096,
  /** `hasPassword`: the link sets another one; false for an invitation. `denies`: it says "This was not me" (SES-14). */
  answer: z.object({
    email: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    hasPassword: z.boolean(),
    denies: z.boolean(),
  }),
});

export const acceptInvitation = route({
  method: 'POST',
  path: '/v1/invitations/accept',
  summary: 'Uses the single-use link: sets the password (SES-3)',
  access: 'one-time-link',
  closed: 'open',
  body: z.strictObject({
    token: linkToken,
    /** Both, or the person keeps the names that they have. */
    firstName: z.optional(line(0, 100)),
    lastName: z.optional(line(0, 100)),
    password: newPassword,
  }),
  bodyLimit: 8192,
  answer: z.object({ next: z.string() }),
});

/**
 * The state of a mail with a link: `off`: mail is not configured; `sent`: the mail server has accepted it;
 * `waiting`: not yet, and it is retried; `failed`: the mail server refused it. The link in the answer works
 * in any case.
 */
export const mailOutcome = z.enum(['off', 'sent', 'waiting', 'failed']);
export type MailOutcome = z.infer<typeof mailOutcome>;

/** A link that works once, and the state of the mail with another one. `expiresAt` in milliseconds. */
export const passwordLink = z.object({ link: z.string(), expiresAt: instant, mail: mailOutcome });
export type PasswordLink = z.infer<typeof passwordLink>;

export const forgotPassword = route({
  method: 'POST',
  path: '/v1/password/forgotten',
  summary:
    'Sends a link for a new password to the holder of an address, if there is one: the answer is the same. 404 without mail (SES-3)',
  access: 'public',
  closed: 'open',
  body: z.strictObject({
    email: emailAddress,
    /** The language of the page; the holder's own language is preferred. */
    language: z._default(z.enum(['en', 'de', 'fr']), 'en'),
  }),
  bodyLimit: 4096,
  answer: 'nothing',
});

export const requestRegistration = route({
  method: 'POST',
  path: '/v1/registration',
  summary:
    'Sends a link by which the holder of an address registers, if the address may; the answer is the same. 404 while no one may (SES-16)',
  access: 'public',
  closed: 'open',
  body: z.strictObject({
    email: emailAddress,
    language: z._default(z.enum(['en', 'de', 'fr']), 'en'),
    /** Where the person was going, as at a sign-in. */
    returnTo: z.optional(z.string().check(z.maxLength(2048))),
  }),
  bodyLimit: 8192,
  answer: 'nothing',
});

export const issuePasswordLink = route({
  method: 'POST',
  path: '/v1/people/:personId/password-link',
  summary:
    'A link by which a person sets another password; earlier ones stop working, the password stays until it is used (SES-3)',
  access: { right: 'PEOPLE_WRITE' },
  fresh: true,
  creates: true,
  params: z.object({ personId: id }),
  answer: passwordLink,
  status: 201,
});

export const changePassword = route({
  method: 'POST',
  path: '/v1/password',
  summary: "Changes the caller's own password at the embedded provider; ends their other sessions (SES-3)",
  access: 'signed-in',
  closed: 'open',
  body: z.strictObject({ currentPassword: z.string().check(z.maxLength(256)), newPassword }),
  bodyLimit: 4096,
  answer: 'nothing',
});
