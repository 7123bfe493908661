import { healthz, openapi, readyz } from '@portico/contract/health';
import type { Route } from '@portico/contract/route';
import type { Reader } from '../../platform/database.ts';
import { HttpProblem } from '../../platform/http-problem.ts';
import { openapiDocument } from '../../platform/openapi.ts';
import type { Serve } from '../../platform/serve.ts';

/** Health for balancers (RUN-2) and the description of everything else (API-1). */
export function healthRoutes(
  serve: Serve,
  options: { read: Reader; stopping: () => boolean; declared: readonly Route[]; version: string },
): void {
  serve(healthz, () => ({ status: 'ok' }) as const);

  serve(readyz, async () => {
    if (options.stopping()) throw new HttpProblem('UNAVAILABLE', { detail: 'Stopping.', retryAfter: 5 });
    try {
      await options.read.selectFrom('revision').select('n').executeTakeFirstOrThrow();
    } catch {
      throw new HttpProblem('UNAVAILABLE', { detail: 'The database cannot be reached.', retryAfter: 5 });
    }
    return { status: 'ready' } as const;
  });

  let document: string | undefined;
  serve(openapi, ({ reply }) => {
    document ??= JSON.stringify(openapiDocument(options.declared, options.version));
    void reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(document);
  });
}
