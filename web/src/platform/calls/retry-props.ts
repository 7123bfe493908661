import type { TFunction } from 'i18next';
import { ProblemError } from './problem-error.ts';

/**
 * Props of an error state for a failed query: its retry button, and the id of the request in the server's
 * log.
 */
export function retryProps(
  t: TFunction,
  { refetch, isFetching, error }: { refetch: () => Promise<unknown>; isFetching: boolean; error: unknown },
) {
  return {
    retry: { label: t('COMMON.RETRY'), onRetry: () => void refetch(), busy: isFetching },
    detail: error instanceof ProblemError ? error.requestId : undefined,
  };
}
