import { healthz, openapi, readyz } from '#features/health/contract/health.ts';
import type { Route } from '#contract/route.ts';
import type { Core } from '#server/core.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import { openapiDocument } from '#server/platform/http/openapi.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { singleFlight, within } from '#server/platform/time/within.ts';

/** A balancer waits little longer, and would take silence for a slow answer. */
const readyMs = 1_500;

/** Health for balancers (RUN-2) and the description of everything else (API-1). */
export function healthRoutes(
  serve: Serve,
  { config, database, version }: Core,
  { declared, stopping }: { declared: readonly Route[]; stopping(): boolean },
): void {
  serve(healthz, () => ({ status: 'ok' }) as const);

  const databaseAnswers = singleFlight(() =>
    database.read
      .selectFrom('revision')
      .select('n')
      .executeTakeFirstOrThrow()
      .then(
        () => true,
        () => false,
      ),
  );

  serve(readyz, async () => {
    if (stopping()) throw new HttpProblem('UNAVAILABLE', { detail: 'Stopping.', retryAfter: 5 });
    if (!(await within(readyMs, databaseAnswers(), false)))
      throw new HttpProblem('UNAVAILABLE', { detail: 'The database cannot be reached.', retryAfter: 5 });
    return { status: 'ready' } as const;
  });

  let document: string | undefined;
  serve(openapi, ({ reply }) => {
    document ??= JSON.stringify(openapiDocument({ declared, version, publicUrl: config.publicUrl }));
    void reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(document);
  });
}
