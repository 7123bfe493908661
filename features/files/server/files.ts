import { fileLimits } from '#features/files/contract/files.ts';
import type { Core } from '#server/core.ts';
import { createFileStore } from '#server/platform/files/file-store.ts';
import type { AccessControl } from '#server/platform/http/access-check.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { filesRoutes, type FileReader } from './files.routes.ts';

/** Uploads, and the store of their bytes. */
export function createFiles(core: Core) {
  const { database, clock, logger } = core;
  const store = createFileStore({ database, dataDir: core.config.dataDir, clock });
  const readers: FileReader[] = [];
  let held = 0;

  return {
    store,
    /** Adds a rule who besides its owner may read a file: one for each feature that shows files. */
    addReader: (reader: FileReader) => void readers.push(reader),
    routes(serve: Serve, rightsOf: AccessControl['rightsOf']) {
      filesRoutes(serve, {
        database,
        store,
        rightsOf,
        readers,
        limit: core.rateLimit({ burst: 30, perSecond: 0.5 }),
        bytesLimit: core.rateLimit({
          burst: 2 * fileLimits.ownerBytes,
          perSecond: fileLimits.ownerBytes / 3_600,
        }),
      });
    },
    sweeps: {
      async 'contents of files'() {
        const swept = await store.sweep();
        if (swept.held > 0 && swept.held !== held) logger.warn(swept, heldContents);
        held = swept.held;
      },
    },
  };
}

const heldContents =
  'files that no row names are kept: they may have been uploaded after the state to which the database was put back. ' +
  'Restore a newer backup, or let them go by "portico files sweep --confirm" (docs/backup.md)';
