import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** Serves the files of the built web; its pages are rendered, never sent as they are. */
export async function serveStaticFiles(fastify: FastifyInstance, webDir: string): Promise<void> {
  // The few files beside the pages, such as the icon.
  await fastify.register(fastifyStatic, {
    root: webDir,
    decorateReply: false,
    wildcard: false,
    globIgnore: ['**/*.html', '**/*.json', '**/*.br', '**/*.gz', '**/*.map', 'assets/**'],
    maxAge: '1h',
    index: false,
    setHeaders(response, path) {
      // Its content names parts of this release: those of an older one are gone (GATE-3).
      if (/\/portico[^/]*$/.test(path)) response.header('cache-control', 'no-cache');
      if (path.endsWith('.d.ts')) response.header('content-type', 'text/plain; charset=utf-8');
    },
  });
  await fastify.register(fastifyStatic, {
    root: join(webDir, 'assets'),
    prefix: '/assets/',
    immutable: true,
    maxAge: '365d',
    preCompressed: true,
    index: false,
    // Source maps hold the sources; only the server itself reads them.
    allowedPath: (path) => !path.endsWith('.map'),
  });
}
