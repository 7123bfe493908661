import * as z from 'zod/mini';
import { flag, flagVersion, said, type createFlag } from './flags.ts';
import { route } from '#contract/route.ts';
import { segment, type createSegment } from './segments.ts';

/** How many flags a document may have. */
export const mostImported = 2_000;

/** An export of all flags and segments, recognized by `portico`; `values` has one value of a list per line. */
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

/** A flag or segment of an imported document; a member that is left out keeps its current value. */
export type ImportedFlag = Partial<z.infer<typeof createFlag.body>> & { key: string };
export type ImportedSegment = Partial<z.infer<typeof createSegment.body>> & { id: string };

/**
 * Why something is not imported as it stands in the document.
 *
 * - `invalid`: it fails a check that every saved flag or segment must pass.
 * - `reserved`: its key belongs to maintenance.
 * - `duplicate`: the document has it twice; the first one counts.
 * - `archived`: it is archived, in the document or in Portico.
 * - `environment`: it is not in the chosen environment.
 * - `rule`, `strategy`, `constraint`, `variant`, `dependency`: Portico has nothing like it.
 * - `schedule`: it depends on the time.
 * - `field`: a part that Portico does not use; the rest of the flag is imported.
 * - `missing`: the document has only its name; another answer of that service has the rest.
 * - `guard`: imported, but the guard of its ramp counts the errors of the project that has this number here.
 * - `bucketing`: imported with the same shares, but different people fall into them.
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
  /** The key of a flag, or the name of a segment. */
  name: z.string(),
  reason: unmappedReason,
  /** The part that this concerns, as the document or the check names it. */
  detail: z.string(),
});
export type Unmapped = z.infer<typeof unmapped>;

const state = z.enum(['new', 'changed', 'same']);

export const flagImport = z.object({
  format: z.enum(['portico', 'growthbook', 'growthbook-api', 'unleash']),
  /** The environments of the document, and the one that is imported; empty if the document has none. */
  environments: z.array(z.string()),
  environment: z.string(),
  flags: z.array(
    z.object({
      key: z.string(),
      state,
      /** The flag before and after the import; left out if nothing changes. */
      before: z.optional(flagVersion.shape.flag),
      after: z.optional(flagVersion.shape.flag),
    }),
  ),
  segments: z.array(z.object({ id: z.string(), name: z.string(), state, size: z.number() })),
  unmapped: z.array(unmapped),
  /** The keys of flags that the document does not contain; the import leaves these flags unchanged. */
  kept: z.array(flag.shape.key),
  /** A digest of the document and of the flags and segments that it was compared with. */
  basis: z.string(),
});
export type FlagImport = z.infer<typeof flagImport>;

const body = {
  /** JSON: an export, what another service answers, or a list of such answers. */
  document: z.string(),
  /** The environment to import, if the document has more than one. */
  environment: z.optional(z.string().check(z.maxLength(200))),
};

/** The same limit as for the values of one segment; it applies here to the values of all segments together. */
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
