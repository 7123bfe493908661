import { healthz, openapi, readyz } from '@portico/contract/health';
import type { Route } from '@portico/contract/route';
import type { Reader } from '../../platform/database/database.ts';
import { HttpProblem } from '../../platform/http/http-problem.ts';
import { openapiDocument } from '../../platform/http/openapi.ts';
import type { Serve } from '../../platform/http/serve.ts';

/** A balancer waits little longer, and would take silence for a slow answer. */
const readyMs = 1_500;

/** Health for balancers (RUN-2) and the description of everything else (API-1). */
export function healthRoutes(
  serve: Serve,
  options: {
    read: Reader;
    stopping: () => boolean;
    declared: readonly Route[];
    version: string;
    publicUrl: string;
  },
): void {
  serve(healthz, () => ({ status: 'ok' }) as const);

  const databaseAnswers = singleFlight(() =>
    options.read
      .selectFrom('revision')
      .select('n')
      .executeTakeFirstOrThrow()
      .then(
        () => true,
        () => false,
      ),
  );

  serve(readyz, async () => {
    if (options.stopping()) throw new HttpProblem('UNAVAILABLE', { detail: 'Stopping.', retryAfter: 5 });
    if (!(await within(readyMs, databaseAnswers(), false)))
      throw new HttpProblem('UNAVAILABLE', { detail: 'The database cannot be reached.', retryAfter: 5 });
    return { status: 'ready' } as const;
  });

  let document: string | undefined;
  serve(openapi, ({ reply }) => {
    document ??= JSON.stringify(openapiDocument(options));
    void reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(document);
  });
}

/** Concurrent checks share one query, so that a silent database does not receive hundreds. */
function singleFlight<T>(work: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | null = null;
  return () => (underWay ??= work().finally(() => (underWay = null)));
}

async function within<T>(ms: number, answer: Promise<T>, otherwise: T): Promise<T> {
  const late = Promise.withResolvers<T>();
  const timer = setTimeout(() => late.resolve(otherwise), ms);
  return Promise.race([answer, late.promise]).finally(() => clearTimeout(timer));
}
