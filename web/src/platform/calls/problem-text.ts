import type { TFunction } from 'i18next';
import { isProblem, ProblemError } from './problem-error.ts';
import { createStore, type Readable } from '../state/store.ts';

/** Codes with the same meaning for all features. */
const everywhere = new Set([
  'RIGHT_MISSING',
  'UNAVAILABLE',
  'TOO_MANY_REQUESTS',
  'VERSION_CONFLICT',
  'IDEMPOTENCY_KEY_USED',
  'NOT_FOUND',
  'SESSION_ENDED',
  'PROOF_NEEDED',
]);

/** A refusal of changes by maintenance: its end, written for the person; null if the end is not known. */
export type Refusal = { readonly until: string | null };

let refusalNow: () => Refusal | null = () => null;
const refused = createStore(false);

/** Whether changes are refused for now, as far as this page knows. */
export const changesRefused: Readable<boolean> = refused;

/**
 * Sets the function that returns the present refusal, or null while changes are accepted. Returns a function that
 * removes it.
 */
export function provideRefusal(refusal: () => Refusal | null): () => void {
  refusalNow = refusal;
  refused.set(true);
  return () => {
    if (refusalNow !== refusal) return;
    refusalNow = () => null;
    refused.set(false);
  };
}

/** The text of an error, the same everywhere; a feature explains its own codes. */
export function problemText(t: TFunction, error: unknown): string {
  if (isProblem(error, 'MAINTENANCE')) return refusalText(t) ?? t('COMMON.ERRORS.MAINTENANCE');
  if (isUnreachable(error)) return t(`COMMON.ERRORS.${unreachable(error)}`);
  if (error instanceof ProblemError && everywhere.has(error.code)) return t(`COMMON.ERRORS.${error.code}`);
  return t('COMMON.ERRORS.SERVER.CRITICAL_ERROR');
}

/** The text for an error of a read: nothing was being saved, and nothing can have changed. */
export function readProblemText(t: TFunction, error: unknown): string {
  const isKnown = error instanceof ProblemError && everywhere.has(error.code);
  const isAway = isUnreachable(error) && unreachable(error) !== 'TIMEOUT';
  return isKnown || isAway ? problemText(t, error) : t('COMMON.ERRORS.SERVER.NOT_READ');
}

/** Whether no answer of the server was received: what was typed can be sent again unchanged. */
export function isUnreachable(error: unknown): error is ProblemError {
  return isProblem(error, 'NETWORK');
}

/** The text key for an unreachable server. */
function unreachable({ cause }: ProblemError): 'OFFLINE' | 'TIMEOUT' | 'NETWORK' {
  // A browser that reports to be online may be wrong; one that reports to be offline is not.
  if ('onLine' in navigator && !navigator.onLine) return 'OFFLINE';
  return cause instanceof DOMException && cause.name === 'TimeoutError' ? 'TIMEOUT' : 'NETWORK';
}

/** The text that changes are refused, with the end if known; null while this page knows of no refusal. */
export function refusalText(t: TFunction): string | null {
  const refusal = refusalNow();
  if (refusal === null) return null;
  const { until } = refusal;
  return until === null
    ? t('COMMON.ERRORS.MAINTENANCE')
    : t('COMMON.ERRORS.MAINTENANCE_UNTIL', { time: until });
}
