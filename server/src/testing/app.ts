import { inject } from 'vitest';
import type { CallOf, Route } from '#contract/route.ts';
import { createApp, type App } from '../app.ts';
import { readConfig, type Config } from '../config.ts';
import { systemClock, type Clock } from '../platform/time/clock.ts';
import { createLogger } from '../platform/log/logger.ts';
import { callRoute, type Answer, type ClientOptions } from './client.ts';
import { afterThisTest, freshDatabase, type Engine, type Place } from './fresh-database.ts';
import { freePort } from './free-port.ts';
import { quickHashing } from './people.ts';

/** One line of the log, parsed. */
export type LogLine = { level: number; msg: string; requestId?: string; [field: string]: unknown };

/** Portico running for a test, on a port of its own. */
export type TestApp = App & {
  /** The address that browsers use; it is the public URL too, except for a replica. */
  url: string;
  config: Config;
  place: Place;
  /** What has been logged so far, at level debug. */
  log: LogLine[];
  /** Calls a route; anonymously without a token and cookies. */
  call<const R extends Route>(route: R, call: CallOf<R>, options?: ClientOptions): Promise<Answer<R>>;
};

export type StartOptions = {
  config?: Partial<Config>;
  clock?: Clock;
} & (
  | { engine: Engine }
  /** A second start on the database, port and public URL of an app that has been stopped. */
  | { after: TestApp }
  /** A second replica of an app on PostgreSQL, with its public URL. */
  | { replicaOf: TestApp }
  | { on: Place }
);

/**
 * Starts the real application on a real port and a database of its own. The test that asked stops it when it
 * has finished; outside a test (`beforeAll`) the caller stops it and removes its place.
 */
export async function startApp(options: StartOptions): Promise<TestApp> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOnce(options);
    } catch (error) {
      // Another program took the port between our check and our use of it.
      if ((error as { code?: string }).code !== 'EADDRINUSE' || 'after' in options || attempt === 5)
        throw error;
    }
  }
}

async function startOnce(options: StartOptions): Promise<TestApp> {
  const before = 'after' in options ? options.after : 'replicaOf' in options ? options.replicaOf : null;
  const place = await placeFor(options);
  const port = 'after' in options ? options.after.config.port : await freePort();
  const { publicUrl, basePath = '' } = options.config ?? {};
  const url = `http://localhost:${port}${basePath}`;
  const config: Config = {
    ...readConfig({
      NODE_ENV: 'test',
      PORT: String(port),
      PUBLIC_URL: before?.config.publicUrl ?? publicUrl ?? url,
      DATA_DIR: place.dataDir,
      // Waiting for something costs requests, and while the test's clock stands still the rate limit would
      // never refill.
      RATE_LIMIT_SCALE: '1000000',
      STOP_DELAY: '0',
    }),
    database: place.location,
    ...before?.config,
    port,
    ...options.config,
  };
  const log: LogLine[] = [];
  const logger = createLogger('debug', { write: (line) => log.push(JSON.parse(line) as LogLine) });
  const app = await createApp(config, {
    logger,
    clock: options.clock ?? systemClock,
    webDir: inject('webDir'),
    hashing: quickHashing,
  });
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= app.stop());
  afterThisTest(stop);
  try {
    await app.listen();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    ...app,
    url,
    config,
    place,
    log,
    stop,
    call: (route, call, client) => callRoute(url, route, call, client),
  };
}

/** For an application that was started outside a test: stops it and removes its data. */
export async function endApp({ stop, place }: TestApp): Promise<void> {
  await stop();
  await place.remove();
}

function placeFor(options: StartOptions): Place | Promise<Place> {
  if ('on' in options) return options.on;
  if ('after' in options) return options.after.place;
  if ('replicaOf' in options) return options.replicaOf.place;
  return freshDatabase(options.engine);
}
