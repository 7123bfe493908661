import * as z from 'zod/mini';
import { flagDraft, flagKey } from './flags.ts';
import { fieldProblem } from '#contract/problem.ts';
import { route } from '#contract/route.ts';
import { id, instant } from '#contract/text.ts';

/** What decides a flag's value, saved or not. */
export const flagDefinition = z.strictObject({
  type: flagDraft.shape.type,
  defaultValue: z.unknown(),
  rules: flagDraft.shape.rules,
});
export type FlagDefinition = z.infer<typeof flagDefinition>;

/**
 * The outcome of a rule for one person: `decides`, or the reason why the rule does not decide.
 *
 * - `prerequisite`: another flag does not have the value that the rule requires.
 * - `gate`: the same for a prerequisite with `gate`, which decides that the flag has no value.
 * - `share`: the person is not in the share of people that the rule is for.
 * - `no-attribute`: the attribute by which people are distributed is missing.
 * - `filters`: the rule's `filters` exclude the person.
 * - `no-value`: the rule has no value to give.
 * - `time`: the rule has not begun yet, or is over.
 */
export const trialOutcome = z.enum([
  'decides',
  'condition',
  'prerequisite',
  'gate',
  'share',
  'no-attribute',
  'filters',
  'no-value',
  'time',
]);
export type TrialOutcome = z.infer<typeof trialOutcome>;

export const trial = z.object({
  /** What clients get; null where a prerequisite with `gate` is not met. */
  value: z.unknown(),
  /** The index of the rule that decides; null: no rule decides, so the flag's default value counts. */
  rule: z.nullable(z.number()),
  /** The rules that were evaluated, in order. */
  steps: z.array(
    z.object({
      rule: z.number(),
      outcome: trialOutcome,
      /** The person's bucket, from 0 to 1; null if the rule is not for a share of people. */
      bucket: z.nullable(z.number()),
    }),
  ),
  /** The attributes for which the flag was evaluated. */
  attributes: z.record(z.string(), z.unknown()),
  /** Parts of the rules that are evaluated differently from how they read. */
  warnings: z.array(fieldProblem),
});
export type Trial = z.infer<typeof trial>;

const oneFlag = z.object({ flagKey });

export const tryFlag = route({
  method: 'POST',
  path: '/v1/flags/:flagKey/trial',
  summary:
    'Evaluates a flag as given, saved or not, for a person (this needs PEOPLE_READ too) or for attributes; nothing is changed',
  access: { right: 'FLAGS_READ' },
  closed: 'read',
  params: oneFlag,
  body: z.strictObject({
    definition: flagDefinition,
    for: z.union([
      z.strictObject({ personId: id }),
      z.strictObject({
        attributes: z
          .record(z.string().check(z.maxLength(200)), z.unknown())
          .check(z.refine((all) => Object.keys(all).length <= 200, 'has more than 200 attributes')),
      }),
    ]),
    /** Evaluates the rules as they are at this time; left out: now. */
    at: z.optional(instant),
  }),
  bodyLimit: 1_048_576,
  answer: trial,
});

/** How many people get another value because of a change. */
export const flagEffect = z.object({
  /** Everyone who is not blocked. */
  people: z.number(),
  /** The number of people for whom the flag was evaluated: fewer than `people` if the rules take long. */
  evaluated: z.number(),
  changed: z.number(),
  /** The most frequent changes from one value to another first, at most 10; a missing value is null. */
  changes: z.array(
    z.object({
      from: z.unknown(),
      to: z.unknown(),
      people: z.number(),
      /** The first 20 of them. */
      who: z.array(z.object({ id, name: z.string(), email: z.string() })),
    }),
  ),
  /** At most 10 values after the change, the most frequent first; `before`: how many people have the value now. */
  values: z.array(z.object({ value: z.unknown(), people: z.number(), before: z.number() })),
});
export type FlagEffect = z.infer<typeof flagEffect>;

export const previewFlag = route({
  method: 'POST',
  path: '/v1/flags/:flagKey/effect',
  summary: 'How many people would get another value, and who; needs PEOPLE_READ too; nothing is changed',
  access: { right: 'FLAGS_WRITE' },
  closed: 'read',
  params: oneFlag,
  body: z.strictObject({ definition: flagDefinition }),
  bodyLimit: 1_048_576,
  answer: flagEffect,
});

/** An attribute that was seen, with its values, the most frequent first. */
export const seenAttribute = z.object({
  name: z.string(),
  kind: z.enum(['text', 'number', 'boolean', 'list']),
  values: z.array(z.object({ value: z.union([z.string(), z.number(), z.boolean()]), times: z.number() })),
  /** True: more than 50 different values were seen, so no value is stored. */
  isMore: z.boolean(),
});
export type SeenAttribute = z.infer<typeof seenAttribute>;

export const listSeenAttributes = route({
  method: 'GET',
  path: '/v1/flag-attributes',
  summary:
    'Attributes of the people who are connected now, and those that applications have sent to this process for remote evaluation; values need PEOPLE_READ too',
  access: { right: 'FLAGS_READ' },
  answer: z.object({ attributes: z.array(seenAttribute) }),
});
