import * as z from 'zod/mini';
import { flagUseSummary, keyHealth } from './usage.ts';
import { liveList } from '#contract/live-list.ts';
import { fieldProblem } from '#contract/problem.ts';
import { peopleNames } from '#features/people/contract/names.ts';
import { route } from '#contract/route.ts';
import { id, instant, line, prose, version } from '#contract/text.ts';

/** The operators' list of flags: it changes with every write, also when the flag is off. */
export const flagList = liveList({ list: 'flags', receivers: { right: 'FLAGS_READ' } });

export const flagType = z.enum(['boolean', 'string', 'number', 'json']);
export type FlagType = z.infer<typeof flagType>;

/**
 * Letters, digits and `_ - . : |`, as GrowthBook accepts them; flags that its back end makes start with `$`
 * (`$holdout:…`). In the web, FF_<key> becomes a right.
 */
// `__proto__` is refused: it cannot name an entry of the object from which SDKs read flags.
export const flagKey = z.string().check(z.regex(/^(?!__proto__$)\$?[A-Za-z0-9_.:|-]{1,100}$/));

/** GrowthBook's FeatureRule; `server/rules.ts` checks its content and reports the place of each mistake. */
export const flagRule = z.record(z.string(), z.unknown());
export type FlagRule = z.infer<typeof flagRule>;

export const flag = z.object({
  key: z.string(),
  type: flagType,
  description: z.string(),
  defaultValue: z.unknown(),
  /** Off: the flag leaves every payload, and clients use their fallback. */
  enabled: z.boolean(),
  /** True: browsers without a signed-in person receive the flag too; they receive no other flags (FLAG-9). */
  forSignedOut: z.boolean(),
  /** True: the console asks for confirmation before the flag is turned on or off. */
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

/** A flag that depends on another flag, its prerequisite. */
export const flagUse = z.object({
  key: z.string(),
  /** Off: clients do not get the flag, whatever its prerequisite is. */
  enabled: z.boolean(),
  /** The conditions that its rules put on the prerequisite; empty: it depends only through other flags. */
  conditions: z.array(z.object({ pointer: z.string(), condition: z.unknown() })),
});
export type FlagUse = z.infer<typeof flagUse>;

/** The parts of a flag that an operator edits. */
export const flagDraft = z.strictObject({
  type: flagType,
  description: prose(0, 2000),
  defaultValue: z.unknown(),
  /** If `forSignedOut` or `killSwitch` is left out, it stays unchanged; in a new flag it is false. */
  forSignedOut: z.optional(z.boolean()),
  killSwitch: z.optional(z.boolean()),
  rules: z.array(flagRule).check(z.maxLength(200)),
  tags: z.array(line(1, 50)).check(z.maxLength(20)),
});
export type FlagDraft = z.infer<typeof flagDraft>;

export const oneFlag = z.object({ flagKey });

/**
 * The keys of the affected flags that the caller knows: those in `usedBy` of `getFlag` that are on. A change that
 * affects other flags too is refused with FLAG_IN_USE, which names them all.
 */
export const affected = z.optional(z.array(flagKey).check(z.maxLength(2_000)));

export const listFlags = route({
  method: 'GET',
  path: '/v1/flags',
  summary: 'All flags, in order of their keys',
  access: { right: 'FLAGS_READ' },
  answer: z.object({
    flags: z.array(flag),
    /** Whether code reads each flag, in the order of `flags`. */
    use: z.array(flagUseSummary),
    /** The keys of flags with a change that waits for a review, or for the time of its publication. */
    proposed: z.array(z.string()),
    /** Clients connected to the flag streams of all processes, without Portico's own pages. */
    connected: z.number(),
    /** The number of archived flags. */
    archived: z.number(),
  }),
});

/** `note`: why a flag is changed; `bypassReview`: skips a required review (takes `FLAGS_BYPASS`, and a note). */
export const said = { note: z.optional(prose(0, 500)), bypassReview: z.optional(z.boolean()) };

/** The state of a flag between one change and the next, as the audit recorded it. */
export const flagVersion = z.object({
  /** The id of the entry in the audit. */
  id,
  at: instant,
  /** The name, at that time, of the person who changed the flag. */
  by: z.string(),
  version: z.number(),
  /** Why the flag was changed; empty if no reason was given. */
  note: z.string(),
  /** Who approved the change; null if it was made without a review. */
  approvedBy: z.nullable(z.string()),
  /** True: the change needed a review, but was made without one. */
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

/** A change of a flag that waits for a review, or for the time of its publication. A flag has at most one. */
export const flagProposal = z.object({
  /** The flag as it would be after the change, and on. */
  flag: flagVersion.shape.flag,
  note: z.string(),
  /** When the approved change is published automatically; null: a person publishes it. */
  publishAt: z.nullable(instant),
  /** The flag's version that the proposal changes; if the flag has another one, approval and publication fail. */
  base: z.number(),
  proposedAt: instant,
  proposedBy: z.string(),
  /** True: the caller, or a token that the caller made, proposed the change, so the caller cannot approve it. */
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
    /** The `next` of the previous page. */
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
  /** The key with which SDKs decrypt the payload, base64 of 16 bytes; null: the payload is not encrypted. */
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
    /** Values and rules that are accepted but evaluated differently from how they read. */
    warnings: z.array(fieldProblem),
    /** The flags that depend on this flag, in order of their keys. */
    usedBy: z.array(flagUse),
    /** The proposed change of the flag; null if there is none. */
    proposal: z.nullable(flagProposal),
    /** True: changes that clients would see need a review (FLAG-22). */
    reviewed: z.boolean(),
    /** The keys with which clients read the flag, each with its number of clients connected to all processes. */
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

/** A client key as the settings show it. */
export const managedClientKey = z.object({
  ...clientKey.shape,
  /** True: the SDKs do not know `savedGroups`, so they get the values of lists in each rule. */
  olderSdks: z.boolean(),
  /** True: Portico's own web reads flags with this key, so it cannot be revoked. */
  builtIn: z.boolean(),
  createdAt: instant,
  /** Null: the key was made at the first start. */
  createdBy: z.nullable(z.string()),
  revokedAt: z.nullable(instant),
  revokedBy: z.nullable(z.string()),
  /** Clients connected to all processes with this key; 0 for Portico's own pages, which do not count as clients. */
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
    /** The health of each key, in the order of `clientKeys`. */
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
    /** Each of `olderSdks`, `encrypted` and `stickyBuckets` stays unchanged if left out. */
    olderSdks: z.optional(z.boolean()),
    /** Turning encryption on makes a new decryption key. */
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
