import { hash, timingSafeEqual } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { readMetrics } from '#features/metrics/contract/metrics.ts';
import type { MetricsSettings } from '#server/config.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import type { Exposition } from './exposition.ts';

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');

/** Whether a request shows the token, compared as hashes of one length, so that the time tells nothing about it. */
function showsToken(authorization: string | undefined, token: string): boolean {
  return timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token}`));
}

/** `/metrics` on the port of everything else, for those who show the token. Without one there is no such page. */
export function metricsRoutes(
  serve: Serve,
  token: string | null,
  exposition: Pick<Exposition, 'contentType' | 'text'> | null,
): void {
  serve(readMetrics, async ({ request, reply }) => {
    if (token === null || exposition === null) throw new HttpProblem('NOT_FOUND');
    if (!showsToken(request.headers.authorization, token))
      throw new HttpProblem('UNAUTHENTICATED', {
        detail: 'Send METRICS_TOKEN as a bearer.',
        headers: { 'www-authenticate': 'Bearer' },
      });
    const text = await exposition.text();
    void reply.header('content-type', exposition.contentType).header('cache-control', 'no-store').send(text);
  });
}

/** `/metrics` on a port of its own, with nothing else; resolves once it listens. */
export async function listenForMetrics(
  { host, port, token }: MetricsSettings & { port: number },
  { contentType, text }: Pick<Exposition, 'contentType' | 'text'>,
  onError: (error: unknown) => void,
): Promise<Server> {
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    request.resume();
    const answer = (status: number, body: string, type = 'text/plain; charset=utf-8'): void =>
      void response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || request.url?.split('?', 1)[0] !== readMetrics.path)
      answer(404, `Only GET ${readMetrics.path} is answered here.\n`);
    else if (token !== null && !showsToken(request.headers.authorization, token)) {
      response.setHeader('www-authenticate', 'Bearer');
      answer(401, 'Send METRICS_TOKEN as a bearer.\n');
    } else
      text().then(
        (metrics) => answer(200, metrics, contentType),
        (error: unknown) => {
          onError(error);
          answer(500, 'The log has the reason.\n');
        },
      );
  });
  server.maxConnections = 20;
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(port, host, listening);
  }).catch((error: unknown) => {
    throw new Error(`The port of METRICS_PORT, ${port} at ${host}, cannot be listened on: ${String(error)}`, {
      cause: error,
    });
  });
  return server;
}
