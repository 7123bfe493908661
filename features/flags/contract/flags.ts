import * as z from 'zod/mini';
import { flagUseSummary, keyHealth } from './usage.ts';
import { liveList } from '#contract/live-list.ts';
import { fieldProblem } from '#contract/problem.ts';
import { peopleNames } from '#features/people/contract/names.ts';
import { route } from '#contract/route.ts';
import { id, instant, line, prose, version } from '#contract/text.ts';

/** The flags as operators see them: each write counts, also of a flag that is off. */
export const flagList = liveList({ list: 'flags', receivers: { right: 'FLAGS_READ' } });

export const flagType = z.enum(['boolean', 'string', 'number', 'json']);
export type FlagType = z.infer<typeof flagType>;

/**
 * Letters, digits, `_ - . : |`, as GrowthBook takes them, behind a `$` where its back end made the flag
 * (`$holdout:…`); FF_<key> becomes a right in the web.
 */
// `__proto__` names no entry of the object that SDKs read flags from.
export const flagKey = z.string().check(z.regex(/^(?!__proto__$)\$?[A-Za-z0-9_.:|-]{1,100}$/));

/** GrowthBook's FeatureRule; `server/rules.ts` checks its inner shape and names the mistake's place. */
export const flagRule = z.record(z.string(), z.unknown());
export type FlagRule = z.infer<typeof flagRule>;

export const flag = z.object({
  key: z.string(),
  type: flagType,
  description: z.string(),
  defaultValue: z.unknown(),
  /** Off: the flag leaves every payload, and clients use their fallback. */
  enabled: z.boolean(),
  /** Also for browsers whose person is not signed in, which receive no other flag (FLAG-9). */
  forSignedOut: z.boolean(),
  /** The console asks before it is turned on or off. */
  killSwitch: z.boolean(),
  rules: z.array(flagRule),
  tags: z.array(z.string()),
  createdAt: instant,
  changedAt: instant,
  /** The name or email of the person who changed it last. */
  changedBy: z.nullable(z.string()),
  version,
});
export type Flag = z.infer<typeof flag>;

/** A flag that changes with another one, its prerequisite. */
export const flagUse = z.object({
  key: z.string(),
  /** Off: clients do not get it, whatever its prerequisite is. */
  enabled: z.boolean(),
  /** The conditions of its rules on the prerequisite; empty: it depends through other flags alone. */
  conditions: z.array(z.object({ pointer: z.string(), condition: z.unknown() })),
});
export type FlagUse = z.infer<typeof flagUse>;

/** What an operator writes of a flag. */
export const flagDraft = z.strictObject({
  type: flagType,
  description: prose(0, 2000),
  defaultValue: z.unknown(),
  /** These two left out: as they were; of a new flag false. */
  forSignedOut: z.optional(z.boolean()),
  killSwitch: z.optional(z.boolean()),
  rules: z.array(flagRule).check(z.maxLength(200)),
  tags: z.array(line(1, 50)).check(z.maxLength(20)),
});
export type FlagDraft = z.infer<typeof flagDraft>;

export const oneFlag = z.object({ flagKey });

/**
 * The keys of the flags that the caller knows to be affected, as `usedBy` of `getFlag` names those that are
 * on; where the change affects others too it is refused with FLAG_IN_USE, which names them all.
 */
export const affected = z.optional(z.array(flagKey).check(z.maxLength(2_000)));

export const listFlags = route({
  method: 'GET',
  path: '/v1/flags',
  summary: 'All flags, in order of their keys',
  access: { right: 'FLAGS_READ' },
  answer: z.object({
    flags: z.array(flag),
    /** Whether code reads them, in the same order. */
    use: z.array(flagUseSummary),
    /** The keys of those with a change that waits for a review, or for its time. */
    proposed: z.array(z.string()),
    /** Clients connected to the flag streams of all processes, without Portico's own pages. */
    connected: z.number(),
    /** How many are in the archive. */
    archived: z.number(),
  }),
});

/** Why a flag is changed, for its history; and that a review, where one is needed, is left out (`FLAGS_BYPASS`, with a note). */
export const said = { note: z.optional(prose(0, 500)), bypassReview: z.optional(z.boolean()) };

/** What a flag was from one change to the next, as the audit has it. */
export const flagVersion = z.object({
  /** Of the entry in the audit. */
  id,
  at: instant,
  /** Who changed it, by the name at that time. */
  by: z.string(),
  version: z.number(),
  /** Why it was changed; empty where nobody said. */
  note: z.string(),
  /** Who approved it; null where nobody did. */
  approvedBy: z.nullable(z.string()),
  /** Although it needed a review, it went without. */
  bypassed: z.boolean(),
  flag: z.pick(flag, {
    type: true,
    description: true,
    defaultValue: true,
    enabled: true,
    forSignedOut: true,
    killSwitch: true,
    rules: true,
    tags: true,
  }),
});
export type FlagVersion = z.infer<typeof flagVersion>;

/** A change of a flag that waits for a review, or for its time. A flag has one at most. */
export const flagProposal = z.object({
  /** The flag as it would be: on. */
  flag: flagVersion.shape.flag,
  note: z.string(),
  /** When it goes to clients by itself, once it is approved; null: when a person publishes it. */
  publishAt: z.nullable(instant),
  /** The version of the flag that it was made of; of another one it cannot be approved or published. */
  base: z.number(),
  proposedAt: instant,
  proposedBy: z.string(),
  /** Of the caller, or of a token that the caller made: they cannot approve it. */
  own: z.boolean(),
  review: z.nullable(z.object({ approved: z.boolean(), note: z.string(), at: instant, by: z.string() })),
  version,
});
export type FlagProposal = z.infer<typeof flagProposal>;

export const listFlagVersions = route({
  method: 'GET',
  path: '/v1/flags/:flagKey/versions',
  summary: 'What a flag was after each change, the latest first (FLAG-14)',
  access: { right: 'FLAGS_READ' },
  params: oneFlag,
  query: z.object({
    /** From `next` of the page before. */
    cursor: z.optional(z.coerce.number().check(z.int(), z.nonnegative())),
  }),
  answer: z.object({ versions: z.array(flagVersion), next: z.nullable(z.string()) }),
});

export const createFlag = route({
  method: 'POST',
  path: '/v1/flags',
  summary: 'Creates a flag; a taken key is 409, also that of an archived flag',
  access: { right: 'FLAGS_WRITE' },
  creates: true,
  body: z.extend(flagDraft, { key: flagKey, enabled: z.boolean(), ...said }),
  bodyLimit: 1_048_576,
  answer: flag,
  status: 201,
});

export const updateFlag = route({
  method: 'PUT',
  path: '/v1/flags/:flagKey',
  summary:
    'Replaces value, rules and description; a stale version is 409, another type of a flag that is on too unless `affected` is sent',
  access: { right: 'FLAGS_WRITE' },
  params: oneFlag,
  body: z.extend(flagDraft, { version, affected, ...said }),
  bodyLimit: 1_048_576,
  answer: flag,
});

export const switchFlag = route({
  method: 'PUT',
  path: '/v1/flags/:flagKey/enabled',
  summary:
    'Turns a flag on or off for everyone; off is 409 while `affected` does not name every flag that depends on it',
  access: { right: 'FLAGS_WRITE' },
  params: oneFlag,
  body: z.strictObject({ enabled: z.boolean(), version, affected, ...said }),
  answer: flag,
});

/** What a person can do to a ramp. */
export const rampAction = z.enum(['pause', 'resume', 'end']);
export type RampAction = z.infer<typeof rampAction>;

export const steerRamp = route({
  method: 'PUT',
  path: '/v1/flags/:flagKey/ramp',
  summary: 'Pauses the ramp of a rule, resumes it, or goes to its last step (FLAG-15)',
  access: { right: 'FLAGS_WRITE' },
  params: oneFlag,
  body: z.strictObject({
    /** The place of the rule, from 0. */
    rule: z.int().check(z.nonnegative(), z.maximum(199)),
    action: rampAction,
    version,
    ...said,
  }),
  answer: flag,
});

export const deleteFlag = route({
  method: 'DELETE',
  path: '/v1/flags/:flagKey',
  summary:
    'Archives a flag: it is off and in no list, and its key stays taken; 409 while rules of others ask for it',
  access: { right: 'FLAGS_WRITE' },
  params: oneFlag,
  query: z.object({ version: z.coerce.number().check(z.int(), z.minimum(1)) }),
  answer: 'nothing',
});

export const archivedFlag = z.object({
  ...flag.shape,
  archivedAt: instant,
});
export type ArchivedFlag = z.infer<typeof archivedFlag>;

export const listArchivedFlags = route({
  method: 'GET',
  path: '/v1/archived-flags',
  summary: 'The archived flags, in order of their keys',
  access: { right: 'FLAGS_READ' },
  answer: z.object({ flags: z.array(archivedFlag) }),
});

export const unarchiveFlag = route({
  method: 'PUT',
  path: '/v1/archived-flags/:flagKey',
  summary: 'Takes a flag back from the archive, off; 400 where its rules name what there is no more',
  access: { right: 'FLAGS_WRITE' },
  params: oneFlag,
  body: z.strictObject({ version }),
  answer: flag,
});

/**
 * `plain`: definitions, evaluated by the SDK. `remote-eval`: evaluated here for the attributes that the
 * client sends. `personal`: evaluated here for the person of the bearer, never for claimed attributes
 * (FLAG-1); without one, only flags with `forSignedOut`.
 */
export const clientKeyKind = z.enum(['plain', 'remote-eval', 'personal']);
export type ClientKeyKind = z.infer<typeof clientKeyKind>;

export const clientKey = z.object({
  key: z.string(),
  kind: clientKeyKind,
  name: z.string(),
  /** What SDKs decrypt the payload with, base64 of 16 bytes; null: it is not encrypted. */
  decryptionKey: z.nullable(z.string()),
  /** Remote evaluation keeps the variation that a person has in an experiment. */
  stickyBuckets: z.boolean(),
});
export type ClientKey = z.infer<typeof clientKey>;

export const getFlag = route({
  method: 'GET',
  path: '/v1/flags/:flagKey',
  summary: 'One flag, with what depends on it',
  access: { right: 'FLAGS_READ' },
  params: oneFlag,
  answer: z.object({
    ...flag.shape,
    /** Values and rules that are accepted but evaluated otherwise than they read. */
    warnings: z.array(fieldProblem),
    /** The flags that depend on it, in order of their keys. */
    usedBy: z.array(flagUse),
    /** What waits for a review; null: nothing. */
    proposal: z.nullable(flagProposal),
    /** Changes that clients would see need a review (FLAG-22). */
    reviewed: z.boolean(),
    /** The keys with which clients read it, and how many clients are connected to all processes. */
    clients: z.array(z.object({ ...clientKey.shape, connected: z.number() })),
  }),
});
export type FlagDetails = z.infer<(typeof getFlag)['answer']>;

export const listClientKeys = route({
  method: 'GET',
  path: '/v1/client-keys',
  summary: 'The keys with which SDKs read flags; they are public by nature',
  access: { right: 'FLAGS_READ' },
  answer: z.object({ apiHost: z.string(), clientKeys: z.array(clientKey) }),
});

/** A client key as it is managed. */
export const managedClientKey = z.object({
  ...clientKey.shape,
  /** Its SDKs know no `savedGroups`: they get the values of lists in each rule. */
  olderSdks: z.boolean(),
  /** Portico's own web reads with it: it cannot be revoked. */
  builtIn: z.boolean(),
  createdAt: instant,
  /** Null: made at the first start. */
  createdBy: z.nullable(z.string()),
  revokedAt: z.nullable(instant),
  revokedBy: z.nullable(z.string()),
  /** Clients connected with it to all processes; 0 for the key of Portico's own pages, which are none. */
  connected: z.number(),
  version,
});
export type ManagedClientKey = z.infer<typeof managedClientKey>;

const oneClientKey = z.object({ clientKey: z.string().check(z.regex(/^[A-Za-z0-9_-]{1,100}$/)) });

export const listManagedClientKeys = route({
  method: 'GET',
  path: '/v1/settings/client-keys',
  summary: 'The client keys with their creators and connected clients, including revoked ones',
  access: { right: 'SETTINGS_WRITE' },
  answer: z.object({
    apiHost: z.string(),
    clientKeys: z.array(managedClientKey),
    /** Of the same keys, in the same order. */
    health: z.array(keyHealth),
    names: peopleNames,
  }),
});

export const addClientKey = route({
  method: 'POST',
  path: '/v1/settings/client-keys',
  summary: 'Makes a client key for an SDK',
  access: { right: 'SETTINGS_WRITE' },
  fresh: true,
  creates: true,
  body: z.strictObject({ kind: clientKeyKind, name: line(1, 100) }),
  answer: managedClientKey,
  status: 201,
});

export const renameClientKey = route({
  method: 'PUT',
  path: '/v1/settings/client-keys/:clientKey',
  summary:
    'Changes what a client key is for, for which SDKs, whether its payload is encrypted, and whether people keep their variations; a stale version is 409',
  access: { right: 'SETTINGS_WRITE' },
  params: oneClientKey,
  body: z.strictObject({
    name: line(1, 100),
    /** These three left out: as they were. */
    olderSdks: z.optional(z.boolean()),
    /** Turned on: with a new decryption key. */
    encrypted: z.optional(z.boolean()),
    stickyBuckets: z.optional(z.boolean()),
    version,
  }),
  answer: managedClientKey,
});

export const revokeClientKey = route({
  method: 'DELETE',
  path: '/v1/settings/client-keys/:clientKey',
  summary: 'Ends a client key permanently: its streams end, and its SDKs do not ask again',
  access: { right: 'SETTINGS_WRITE' },
  params: oneClientKey,
  answer: 'nothing',
});

// GrowthBook's protocol: the answers and errors are GrowthBook's, not problems.

const byClientKey = z.object({ clientKey: z.string().check(z.maxLength(200)) });

export const readFeatures = route({
  method: 'GET',
  path: '/api/features/:clientKey',
  summary: "The flag payload, GrowthBook's shape; every query (`t_`) is ignored (FLAG-1)",
  access: 'client-key',
  closed: 'open',
  params: byClientKey,
  answer: { raw: 'application/json' },
});

export const evaluateFeatures = route({
  method: 'POST',
  path: '/api/eval/:clientKey',
  summary: 'The flags evaluated for the attributes in the body (FLAG-1)',
  access: 'client-key',
  closed: 'open',
  params: byClientKey,
  bodyLimit: 2_097_152,
  answer: { raw: 'application/json' },
});

export const subscribeFeatures = route({
  method: 'GET',
  path: '/sub/:clientKey',
  summary: 'Event stream of flag changes (FLAG-2)',
  access: 'client-key',
  closed: 'open',
  params: byClientKey,
  answer: { raw: 'text/event-stream' },
});
