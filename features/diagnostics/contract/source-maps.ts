import * as z from 'zod/mini';
import { projectId } from './diagnostics.ts';
import { peopleNames } from '#features/people/contract/names.ts';
import { route } from '#contract/route.ts';
import { id, instant, line } from '#contract/text.ts';

export const sourceMapLimits = {
  fileBytes: 32 * 1024 * 1024,
  /** All stored source maps, of every project. */
  allBytes: 2 * 1024 * 1024 * 1024,
  filesOfRelease: 5_000,
} as const;

const release = line(1, 200);

/** Path of the script that a map explains, such as `/assets/main-1a2b.js`. */
const file = z.string().check(z.regex(/^\/[^\s?#\\<>"]{1,499}$/));

/** 32 hexadecimal digits, with or without hyphens. */
const debugId = z.string().check(z.regex(/^[0-9A-Fa-f]{8}-?(?:[0-9A-Fa-f]{4}-?){3}[0-9A-Fa-f]{12}$/));

/** The source maps of one release. */
export const mappedRelease = z.object({
  projectId: z.number(),
  release: z.string(),
  files: z.number(),
  bytes: z.number(),
  /** When the last source map was uploaded, and by whom. */
  uploadedAt: instant,
  uploadedBy: z.nullable(z.string()),
});
export type MappedRelease = z.infer<typeof mappedRelease>;

export const listSourceMaps = route({
  method: 'GET',
  path: '/v1/diagnostics/source-maps',
  summary: 'The releases whose source maps are stored, the latest first (DIAG-2)',
  access: { right: 'DIAGNOSTICS_READ' },
  query: z.object({ project: z.optional(projectId) }),
  answer: z.object({
    /** At most 500. */
    releases: z.array(mappedRelease),
    /** Bytes of all stored source maps, and the most that they may take. */
    bytes: z.number(),
    mostBytes: z.number(),
    names: peopleNames,
  }),
});

export const uploadSourceMap = route({
  method: 'POST',
  path: '/v1/diagnostics/source-maps',
  summary: 'Stores the source map of a script; one of the same script and release is replaced (DIAG-2)',
  access: { right: 'DIAGNOSTICS_WRITE' },
  creates: true,
  query: z.object({ project: z._default(projectId, 1), release, file, debugId: z.optional(debugId) }),
  form: { field: 'map' },
  status: 201,
  answer: z.object({ id, file: z.string(), debugId: z.nullable(z.string()), bytes: z.number() }),
});

export const removeSourceMaps = route({
  method: 'DELETE',
  path: '/v1/diagnostics/source-maps',
  summary: 'Removes the source maps of a release (DIAG-2)',
  access: { right: 'DIAGNOSTICS_WRITE' },
  query: z.object({ project: z._default(projectId, 1), release }),
  answer: z.object({ removed: z.number() }),
});
