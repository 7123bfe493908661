import { intakeLimits } from '#features/diagnostics/contract/intake.ts';
import { isStorageFailure } from '#server/platform/database/storage-failure.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import { BodyNotReceived } from '#server/platform/http/receive-bytes.ts';
import { rateLimitsHeader } from './intake-limits.ts';
import { IntakeProblem, refusedByLimit } from './intake-problem.ts';
import type { ProcessedEnvelope } from './process-envelope.ts';

/** An answer as SDKs expect it. */
export type IntakeAnswer = { status: number; headers: Record<string, string>; body: string };

/** The outcomes of envelopes that metrics count. */
export const envelopeOutcomes = ['stored', 'limited', 'refused', 'failed'] as const;

export function outcomeOf(status: number): (typeof envelopeOutcomes)[number] {
  if (status === 429) return 'limited';
  return status < 400 ? 'stored' : status < 500 ? 'refused' : 'failed';
}

type Refusal = Pick<IntakeProblem, 'status' | 'message'> & { code: string };

/** Headers that let pages of every origin read the answer. */
export const readable = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-sentry-error, x-sentry-rate-limits, retry-after',
  'cache-control': 'no-store',
  'content-type': 'application/json; charset=utf-8',
};

/** @throws unexpected errors of the server */
export async function answerTo(work: () => Promise<ProcessedEnvelope>): Promise<IntakeAnswer> {
  try {
    const { id, refused, accepted, dropped } = await work();
    const limits: Record<string, string> =
      refused.size > 0 ? { 'x-sentry-rate-limits': rateLimitsHeader(refused) } : {};
    return accepted
      ? {
          status: 200,
          headers: { ...readable, ...limits },
          body: JSON.stringify(dropped.length > 0 ? { id, dropped } : { id }),
        }
      : refusal(refusedByLimit, limits);
  } catch (error) {
    return refusal(problemOf(error));
  }
}

/** @param limits the header that names the limited categories, if there is one */
export function refusal(
  { code, status, message }: Refusal,
  limits: Record<string, string> = {},
): IntakeAnswer {
  // Storing feedback has limits of its own; without the header an SDK would stop sending everything.
  const named =
    status === 429 ? { 'x-sentry-rate-limits': rateLimitsHeader(new Map([['feedback', 60]])) } : {};
  return {
    status,
    headers: { ...readable, ...named, ...limits, 'x-sentry-error': message },
    body: JSON.stringify({ detail: message, code }),
  };
}

function problemOf(error: unknown): Refusal {
  if (error instanceof IntakeProblem || error instanceof HttpProblem) return error;
  if (error instanceof BodyNotReceived) {
    return error.reason === 'broken'
      ? new IntakeProblem('BAD_ENVELOPE', 'The body broke off.')
      : new IntakeProblem('TOO_LARGE', `An envelope has at most ${intakeLimits.envelope} bytes.`);
  }
  if (isStorageFailure(error)) return new IntakeProblem('UNAVAILABLE', 'The storage does not work now.');
  throw error;
}
