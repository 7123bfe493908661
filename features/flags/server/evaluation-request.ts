import { HttpProblem } from '#server/platform/http/http-problem.ts';
import type { EvaluationRequest } from './evaluate.ts';

const mostEntries = 1000;

/**
 * Reads the body of a remote evaluation: everything in it is optional, as SDKs send it. Its depth and size
 * were checked before parsing (`json-shape.ts`); the evaluation itself bounds what one value may cost.
 *
 * @throws INVALID_REQUEST that names the part
 */
export function readEvaluationRequest(body: unknown): EvaluationRequest {
  const { attributes, forcedVariations, forcedFeatures, url } = objectOf(body ?? {}, 'The body');
  const known = objectOf(attributes ?? {}, 'attributes');
  const variations = objectOf(forcedVariations ?? {}, 'forcedVariations');
  bounded(Object.keys(known).length, 'attributes');
  bounded(Object.keys(variations).length, 'forcedVariations');
  if (!Object.values(variations).every((variation) => Number.isInteger(variation)))
    refuse('forcedVariations must hold whole numbers.');
  const forced = forcedFeatures ?? [];
  if (!Array.isArray(forced) || !forced.every(isPair))
    refuse('forcedFeatures must be a list of [key, value].');
  bounded(forced.length, 'forcedFeatures');
  const address = url ?? '';
  if (typeof address !== 'string') refuse('url must be a text.');
  return {
    attributes: known,
    forcedVariations: variations as Record<string, number>,
    forcedFeatures: new Map(forced),
    url: address,
  };
}

function objectOf(value: unknown, name: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    refuse(`${name} must be an object.`);
  return value as Record<string, unknown>;
}

function isPair(value: unknown): value is [string, unknown] {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'string';
}

function bounded(count: number, name: string): void {
  if (count > mostEntries) refuse(`${name} must have at most ${mostEntries} entries.`);
}

function refuse(detail: string): never {
  throw new HttpProblem('INVALID_REQUEST', { detail });
}
