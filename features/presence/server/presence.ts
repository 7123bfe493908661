import type { Core } from '#server/core.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { installationSecret } from '#server/platform/database/setting.ts';
import type { Presence } from './counter.ts';
import { presenceRoutes } from './presence.routes.ts';
import { presenceInMemory } from './presence-in-memory.ts';
import { presenceInRows } from './presence-in-rows.ts';

/** One process alone remembers its connections; several write them where each of them can count. */
export async function createPresence({ database, logger }: Core) {
  const presence: Presence =
    database.engine === 'sqlite'
      ? presenceInMemory()
      : presenceInRows({ database, logger, secret: await installationSecret(database, 'presence') });
  return { ...presence, routes: (serve: Serve) => presenceRoutes(serve, presence) };
}
