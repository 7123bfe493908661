import * as z from 'zod/mini';
import { route } from '#contract/route.ts';
import { instant, prose, version } from '#contract/text.ts';
import { affected, flagDraft, oneFlag } from './flags.ts';

const reviewFields = {
  /** Changes that clients would see of a flag that is on need a review. */
  required: z.boolean(),
};
export const flagReview = z.object({ ...reviewFields, version });
export type FlagReview = z.infer<typeof flagReview>;

export const getFlagReview = route({
  method: 'GET',
  path: '/v1/settings/flag-review',
  summary: 'Whether changes of flags need a review (FLAG-22)',
  access: { right: 'SETTINGS_WRITE' },
  answer: flagReview,
});

export const setFlagReview = route({
  method: 'PUT',
  path: '/v1/settings/flag-review',
  summary: 'Sets whether changes of flags need a review (FLAG-22)',
  access: { right: 'SETTINGS_WRITE' },
  fresh: true,
  body: z.strictObject({ ...reviewFields, version }),
  answer: flagReview,
});

const note = prose(1, 500);

/** Of the proposal. */
const stored = z.object({ version });

export const proposeFlag = route({
  method: 'PUT',
  path: '/v1/flags/:flagKey/proposal',
  summary: 'Proposes what a flag shall be, on; replaces a proposal, and ends its approval (FLAG-22)',
  access: { right: 'FLAGS_WRITE' },
  params: oneFlag,
  body: z.strictObject({
    ...flagDraft.shape,
    note,
    publishAt: z.nullable(instant),
    /** Of the flag. */
    version,
    /** The version of the proposal that this one replaces; null if there is none. */
    replaces: z.nullable(version),
    affected,
  }),
  bodyLimit: 1_048_576,
  answer: stored,
});

export const reviewFlag = route({
  method: 'PUT',
  path: '/v1/flags/:flagKey/proposal/review',
  summary: 'Approves a proposal of somebody else, or asks for changes; people only (FLAG-22)',
  access: { right: 'FLAGS_APPROVE' },
  params: oneFlag,
  body: z.strictObject({ approved: z.boolean(), note: prose(0, 500), version }),
  answer: stored,
});

export const publishFlag = route({
  method: 'PUT',
  path: '/v1/flags/:flagKey/proposal/publication',
  summary: 'Makes an approved proposal the flag (FLAG-22)',
  access: { right: 'FLAGS_WRITE' },
  params: oneFlag,
  body: z.strictObject({ version }),
  answer: 'nothing',
});

export const withdrawFlag = route({
  method: 'DELETE',
  path: '/v1/flags/:flagKey/proposal',
  summary: 'Withdraws a proposal (FLAG-22)',
  access: { right: 'FLAGS_WRITE' },
  params: oneFlag,
  query: z.object({ version: z.coerce.number().check(z.int(), z.minimum(1)) }),
  answer: 'nothing',
});
