import * as z from 'zod/mini';
import { emailAddress, normalizedAddress } from '#contract/email-address.ts';
import { route } from '#contract/route.ts';
import { version } from '#contract/text.ts';
import { roleName } from '#features/permissions/contract/administration.ts';

/** A domain as it is in email addresses: lower case, in ASCII; neither an IP address nor a pattern. */
const domain = z.string().check(
  z.overwrite((text) => normalizedAddress(`x@${text.trim()}`).slice(2)),
  z.refine((text) => !text.startsWith('[') && emailAddress.safeParse(`x@${text}`).success, 'is not a domain'),
);

const policyFields = {
  secondFactor: z.enum(['off', 'offered', 'required']),
  /** The roles whose people need a second factor, where it is `required`. */
  roles: z.array(roleName).check(z.maxLength(20)),
  /** Days until a sign-in insists on a factor, from the change of the policy or the invitation of the person. */
  graceDays: z.int().check(z.minimum(0), z.maximum(90)),
  /** Days for which a browser that has shown a second factor is not asked for it; 0: always asked. */
  rememberDays: z.int().check(z.minimum(0), z.maximum(30)),
  /** Domains whose addresses can register (SES-16), without their subdomains; none: people are invited. */
  registrationDomains: z.array(domain).check(z.maxLength(50)),
};
export const signInPolicy = z.object({ ...policyFields, version });
export type SignInPolicy = z.infer<typeof signInPolicy>;

export const getSignInPolicy = route({
  method: 'GET',
  path: '/v1/sign-in-policy',
  summary: 'Who needs a second factor, and who may register (SES-12, SES-16)',
  access: { right: 'SETTINGS_WRITE' },
  answer: signInPolicy,
});

export const setSignInPolicy = route({
  method: 'PUT',
  path: '/v1/sign-in-policy',
  summary: 'Sets who needs a second factor, and who may register: no one without mail (SES-12, SES-16)',
  access: { right: 'SETTINGS_WRITE' },
  fresh: true,
  body: z.strictObject({ ...policyFields, version }),
  answer: signInPolicy,
});
