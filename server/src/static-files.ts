import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** Serves the files of the built web; its pages are rendered, never sent as they are. */
export async function serveStaticFiles(fastify: FastifyInstance, webDir: string): Promise<void> {
  // The few files next to the pages, such as the icon.
  await fastify.register(fastifyStatic, {
    root: webDir,
    decorateReply: false,
    wildcard: false,
    globIgnore: ['**/*.html', '**/*.json', '**/*.br', '**/*.gz', '**/*.map', 'assets/**'],
    maxAge: '1h',
    index: false,
    setHeaders(response, path) {
      // The file names parts of this release; the parts of an older release are gone (GATE-3).
      if (/\/portico[^/]*$/.test(path)) response.header('cache-control', 'no-cache');
      if (path.endsWith('.d.ts')) response.header('content-type', 'text/plain; charset=utf-8');
    },
  });
  const assets = join(webDir, 'assets');
  await fastify.register(fastifyStatic, {
    root: assets,
    serve: false,
    immutable: true,
    maxAge: '365d',
    preCompressed: true,
    index: false,
  });
  const isServed = namesIn(assets);
  fastify.get<{ Params: { name: string } }>('/assets/:name', async (request, reply) => {
    const { name } = request.params;
    return (await isServed(name)) ? reply.sendFile(name) : reply.callNotFound();
  });
}

/**
 * Whether a folder has a file of exactly this name. The folder is read only for names that are not known
 * yet: it holds more than a thousand names, and a page loads dozens of them.
 */
function namesIn(folder: string): (name: string) => Promise<boolean> {
  let names = new Set<string>();
  return async (name) => {
    // Source maps hold the sources; only the server itself reads them.
    if (name.endsWith('.map')) return false;
    if (!names.has(name)) names = new Set(await readdir(folder).catch(() => []));
    return names.has(name);
  };
}
