import * as z from 'zod/mini';
import type { ProblemCode } from '#contract/problem.ts';
import { route } from '#contract/route.ts';

// OpenFeature's Remote Evaluation Protocol 0.3 (github.com/open-feature/protocol), by which the OpenFeature
// SDKs of all languages read flags (FLAG-13).

/** As many attributes as GrowthBook's remote evaluation takes. */
const mostAttributes = 1000;

/** The body that a client sends. The routes check it themselves, since they refuse in OFREP's format. */
export const evaluationRequest = z.object({
  /** The known attributes of the person; `targetingKey` is their id. */
  context: z.optional(
    z.record(z.string(), z.unknown()).check(
      z.refine((context) => Object.keys(context).length <= mostAttributes),
      z.refine(({ targetingKey }) => targetingKey === undefined || typeof targetingKey === 'string', {
        path: ['targetingKey'],
      }),
    ),
  ),
});

const errorCodes: Partial<Record<ProblemCode, string>> = {
  BAD_JSON: 'PARSE_ERROR',
  UNSUPPORTED_MEDIA_TYPE: 'PARSE_ERROR',
  INVALID_REQUEST: 'INVALID_CONTEXT',
  NOT_FOUND: 'FLAG_NOT_FOUND',
};

function failure(code: ProblemCode, errorDetails: string, params: object): object {
  return { ...params, errorCode: errorCodes[code] ?? 'GENERAL', errorDetails };
}

const evaluation = {
  method: 'POST',
  access: 'client-key',
  closed: 'open',
  bodyLimit: 2_097_152,
  failure,
  answer: { raw: 'application/json' },
} as const;

export const evaluateOneFlag = route({
  ...evaluation,
  path: '/ofrep/v1/evaluate/flags/:key',
  summary: 'One flag evaluated for a context (OFREP); the client key as bearer or in X-API-Key (FLAG-13)',
  params: z.object({ key: z.string() }),
});

export const evaluateAllFlags = route({
  ...evaluation,
  path: '/ofrep/v1/evaluate/flags',
  summary:
    'All flags evaluated for a context (OFREP), with an ETag of it; the client key as bearer or in X-API-Key (FLAG-13)',
});
