import type { TFunction } from 'i18next';
import { ProblemError } from './problem-error.ts';

/** What is shown with a query that has failed: a button that asks again, and the id under which the log has it. */
export function askAgain(
  t: TFunction,
  { refetch, isFetching, error }: { refetch: () => Promise<unknown>; isFetching: boolean; error: unknown },
) {
  return {
    retry: { label: t('COMMON.RETRY'), onRetry: () => void refetch(), busy: isFetching },
    detail: error instanceof ProblemError ? error.requestId : undefined,
  };
}
