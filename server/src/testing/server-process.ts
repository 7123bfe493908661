import { startProcess } from './child-process.ts';
import { environmentOf } from './command-line.ts';
import { openDatabase, type Place } from './fresh-database.ts';
import { freePort } from './free-port.ts';
import { addToken } from './people.ts';

/** A server in a process of its own that is ready, and a caller with these rights. */
export async function startServerProcess(
  place: Pick<Place, 'dataDir' | 'location'>,
  rights: readonly string[],
  environment: Record<string, string> = {},
) {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const server = startProcess('main.ts', [], {
    PORT: String(port),
    PUBLIC_URL: url,
    RATE_LIMIT_SCALE: '1000000',
    ...environmentOf(place),
    ...environment,
  });
  await server.line(/"msg":"ready"/);
  const database = await openDatabase(place.location);
  const accessToken = await addToken({ database }, { rights, lifetimeMs: 1_000 * 3_600_000 });
  await database.close();
  return { url, server, caller: { accessToken } };
}
