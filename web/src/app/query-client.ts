import { QueryClient } from '@tanstack/react-query';
import { ProblemError } from '../platform/problem-error.ts';

const tries = 3;

/** Asking again helps with a lost connection and a server in trouble; what the server has refused it refuses again. */
export function isWorthAnotherTry(failures: number, error: unknown): boolean {
  if (failures >= tries - 1) return false;
  return (
    !(error instanceof ProblemError) ||
    error.status === 0 ||
    (error.status >= 500 && error.code !== 'MAINTENANCE')
  );
}

const fresh = 5_000;

/**
 * Keeps lists and details that screens have loaded. Nothing of it outlives the page.
 *
 * @param holdsStill while true, a screen that shows again shows what it had
 */
export function createQueryClient(holdsStill: () => boolean): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: isWorthAnotherTry,
        retryDelay: (attempt) => 500 * 2 ** attempt * (0.75 + Math.random() / 2),
        staleTime: () => (holdsStill() ? Number.POSITIVE_INFINITY : fresh),
        // A browser's idea of being offline is often wrong; a call that fails says so.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
