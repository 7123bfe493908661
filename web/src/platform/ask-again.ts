import type { TFunction } from 'i18next';
import { ProblemError } from './problem-error.ts';

/** What the state of a question that has failed is told with: a way to ask again, and the id under which the log has it. */
export function askAgain(
  t: TFunction,
  { refetch, isFetching, error }: { refetch: () => Promise<unknown>; isFetching: boolean; error: unknown },
) {
  return {
    retry: { label: t('COMMON.RETRY'), onRetry: () => void refetch(), busy: isFetching },
    detail: error instanceof ProblemError ? error.requestId : undefined,
  };
}
