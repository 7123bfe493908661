import * as z from 'zod/mini';
import { flag, flagVersion, said, type createFlag } from './flags.ts';
import { route } from '#contract/route.ts';
import { segment, type createSegment } from './segments.ts';

/** How many flags a document may have. */
export const mostImported = 2_000;

/** All flags and segments. `portico` marks such a document; values of a list are lines of one text. */
export const flagDocument = z.object({
  portico: z.literal('flags'),
  flags: z.array(z.extend(flagVersion.shape.flag, { key: z.string() })),
  segments: z.array(
    z.object({
      ...z.pick(segment, {
        id: true,
        name: true,
        description: true,
        kind: true,
        attribute: true,
        numbers: true,
      }).shape,
      values: z.optional(z.string()),
      condition: z.optional(z.unknown()),
    }),
  ),
});
export type FlagDocument = z.infer<typeof flagDocument>;

/** A flag, and a segment, as they come from elsewhere; what is left out stays as it is here. */
export type ImportedFlag = Partial<z.infer<typeof createFlag.body>> & { key: string };
export type ImportedSegment = Partial<z.infer<typeof createSegment.body>> & { id: string };

/**
 * Why something is not imported as it stands in the document.
 *
 * - `invalid`: a check that each saved flag or segment passes refuses it.
 * - `reserved`: its key belongs to maintenance.
 * - `duplicate`: the document has it twice; the first one counts.
 * - `archived`: it is archived, there or here.
 * - `environment`: it is not in the environment.
 * - `rule`, `strategy`, `constraint`, `variant`, `dependency`: there is none like it here.
 * - `schedule`: it depends on the time.
 * - `field`: a part that means nothing here; the rest of the flag is imported.
 * - `missing`: the document has its name alone; another answer of that service has the rest.
 * - `guard`: the guard of a ramp counts the errors of this project of here; it is imported.
 * - `bucketing`: the shares are the same, the people in them are others; it is imported.
 */
export const unmappedReason = z.enum([
  'invalid',
  'reserved',
  'duplicate',
  'archived',
  'environment',
  'rule',
  'strategy',
  'constraint',
  'variant',
  'dependency',
  'schedule',
  'field',
  'missing',
  'guard',
  'bucketing',
]);
export type UnmappedReason = z.infer<typeof unmappedReason>;

export const unmapped = z.object({
  kind: z.enum(['flag', 'segment']),
  /** The key of the flag, the name of the segment. */
  name: z.string(),
  reason: unmappedReason,
  /** Which part, as the document or the check names it. */
  detail: z.string(),
});
export type Unmapped = z.infer<typeof unmapped>;

const state = z.enum(['new', 'changed', 'same']);

export const flagImport = z.object({
  format: z.enum(['portico', 'growthbook', 'growthbook-api', 'unleash']),
  /** Those of the document, and which of them counts; empty where it has none. */
  environments: z.array(z.string()),
  environment: z.string(),
  flags: z.array(
    z.object({
      key: z.string(),
      state,
      /** What it is, and what it becomes; left out where nothing changes. */
      before: z.optional(flagVersion.shape.flag),
      after: z.optional(flagVersion.shape.flag),
    }),
  ),
  segments: z.array(z.object({ id: z.string(), name: z.string(), state, size: z.number() })),
  unmapped: z.array(unmapped),
  /** The flags that are here and not in the document: they stay. */
  kept: z.array(flag.shape.key),
  /** Names the document and what it was compared with. */
  basis: z.string(),
});
export type FlagImport = z.infer<typeof flagImport>;

const body = {
  /** JSON: an export, what another service answers, or a list of such answers. */
  document: z.string(),
  /** Of a document that has more than one. */
  environment: z.optional(z.string().check(z.maxLength(200))),
};

/** As for the values of a segment: an export has those of all. */
const bodyLimit = 8_388_608;

export const exportFlags = route({
  method: 'GET',
  path: '/v1/flag-export',
  summary: 'All flags and segments as one document, in a stable order (FLAG-17)',
  access: { right: 'FLAGS_READ' },
  answer: flagDocument,
});

export const previewImport = route({
  method: 'POST',
  path: '/v1/flag-import/preview',
  summary:
    'What an import would change: an export of Portico, a payload or API answers of GrowthBook, an export of Unleash; nothing is changed',
  access: { right: 'FLAGS_WRITE' },
  closed: 'read',
  body: z.strictObject(body),
  bodyLimit,
  answer: flagImport,
});

export const importFlags = route({
  method: 'POST',
  path: '/v1/flag-import',
  summary:
    'Imports what the preview showed, all or nothing; 409 where a flag or segment has changed since; nothing is deleted',
  access: { right: 'FLAGS_WRITE' },
  body: z.strictObject({ ...body, basis: z.string().check(z.maxLength(100)), ...said }),
  bodyLimit,
  answer: z.object({ created: z.number(), changed: z.number() }),
});
