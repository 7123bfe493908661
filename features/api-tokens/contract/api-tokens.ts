import * as z from 'zod/mini';
import { peopleNames } from '#features/people/contract/names.ts';
import { route } from '#contract/route.ts';
import { id, instant, line } from '#contract/text.ts';

/** The longest lifetime of an API token, in milliseconds: one year, a leap year included. */
export const longestTokenLife = 366 * 24 * 3_600_000;

/** The name of a right; whether the right exists is checked when it is given. */
const rightName = z.string().check(z.regex(/^[A-Z][A-Z0-9_]{0,99}$/));

export const apiTokenState = z.enum(['active', 'suspended', 'expired', 'revoked']);
export type ApiTokenState = z.infer<typeof apiTokenState>;

export const apiToken = z.object({
  id,
  name: z.string(),
  /** Its rights, sorted. */
  rights: z.array(z.string()),
  /** The rights that the token has now: those that its creator still holds; none unless the token is active. */
  inForce: z.array(z.string()),
  createdAt: instant,
  /** `name` is a person's email address, or the token's; empty for the command line. */
  createdBy: z.object({ kind: z.enum(['person', 'token', 'command-line']), name: z.string() }),
  expiresAt: instant,
  /** The time of the last use, recorded at most once a minute. */
  lastUsedAt: z.nullable(instant),
  /** `suspended`: the person who created it may not sign in. */
  state: apiTokenState,
  revokedAt: z.nullable(instant),
  revokedBy: z.nullable(z.string()),
});
export type ApiToken = z.infer<typeof apiToken>;

const access = { right: 'SETTINGS_WRITE' } as const;

export const listApiTokens = route({
  method: 'GET',
  path: '/v1/api-tokens',
  summary: 'The API tokens, the youngest first; those that ended more than 90 days ago are gone (SES-9)',
  access,
  closed: 'open',
  answer: z.object({ tokens: z.array(apiToken), names: peopleNames }),
});

/** A person can give a token only rights that they hold. A token cannot create a token that expires later. */
export const createApiToken = route({
  method: 'POST',
  path: '/v1/api-tokens',
  summary: 'Creates an API token; its secret is in this answer alone (SES-9)',
  access,
  fresh: true,
  creates: true,
  body: z.strictObject({
    name: line(1, 100),
    rights: z.array(rightName).check(z.minLength(1), z.maxLength(500)),
    expiresAt: instant,
  }),
  answer: z.object({ token: apiToken, secret: z.string() }),
  status: 201,
});

export const revokeApiToken = route({
  method: 'DELETE',
  path: '/v1/api-tokens/:tokenId',
  summary: 'Ends an API token, and those that were created with it, at once and permanently (SES-9)',
  access,
  closed: 'open',
  params: z.object({ tokenId: id }),
  answer: 'nothing',
});

export const weekMs = 7 * 86_400_000;

/** Whether a token expires within a week; false for one made for less than two weeks, which is meant to. */
export function endsSoon(
  { createdAt, expiresAt }: Pick<ApiToken, 'createdAt' | 'expiresAt'>,
  now: number,
): boolean {
  return expiresAt > now && expiresAt <= now + weekMs && expiresAt - createdAt >= 2 * weekMs;
}
