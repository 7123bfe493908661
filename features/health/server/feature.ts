import { sql } from 'kysely';
import { feature } from '#server/feature.ts';
import * as contract from '#features/health/contract/doctor.ts';
import { healthz, openapi, readyz } from '#features/health/contract/health.ts';
import type { Ground } from '#server/ground.ts';
import type { Core } from '#server/core.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import { openapiDocument } from '#server/platform/http/openapi.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { singleFlight, within } from '#server/platform/time/clock.ts';
import { errorChain, recentWarnings, setLevel } from '#server/platform/log/logger.ts';
import { examine, newestMigration, type FileFound } from './doctor.ts';
import { readSetting, writeSetting } from '#server/platform/database/setting.ts';
import * as z from 'zod/mini';
import { recordAudit, type Actor } from '#features/audit/server/audit.store.ts';
import type { Reader } from '#server/platform/database/database.ts';

export const healthFeature = feature({
  create(core, ground) {
    const level = createLogLevel(core);
    return {
      routes(serve) {
        healthRoutes(serve, core, ground);
        doctorRoutes(serve, core, Object.keys(ground.migrations), level);
      },
      start: level.begin,
      close: level.close,
    };
  },
});

/** Timeout of the database. A balancer waits little longer, and would take silence for a slow answer. */
const readyMs = 1_500;

/** Health for balancers (RUN-2) and the description of everything else (API-1). */
function healthRoutes(
  serve: Serve,
  { config, database, version }: Core,
  { declared, stopping }: Ground,
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

/** The checks of `portico doctor`, the log's warnings and the log level, for the console. */
function doctorRoutes(
  serve: Serve,
  { config, database, clock, logger }: Core,
  known: readonly string[],
  level: ReturnType<typeof createLogLevel>,
): void {
  /** Runs in the thread for long reads, since a check of a large file takes seconds. */
  async function file(): Promise<FileFound> {
    const one = async (query: string) => {
      const { rows } = await sql.raw<Record<string, unknown>>(query).execute(database.longReads);
      return String(Object.values(rows[0] ?? {})[0]);
    };
    const fault = await one('pragma quick_check(1)');
    return {
      version: `SQLite ${await one('select sqlite_version()')}`,
      schema: await one(newestMigration),
      fault: fault === 'ok' ? null : fault,
    };
  }

  serve(contract.lookAt, async ({ params }) => {
    const check = contract.checks.find((one) => one === params.check);
    if (check === undefined) throw new HttpProblem('NOT_FOUND', { detail: 'There is no such check.' });
    return { steps: await examine(check, { config, known, file, opened: { database, clock } }) };
  });

  const log = (): contract.Log => ({
    warnings: recentWarnings(logger).flatMap(readLine).toReversed(),
    ...level.show(),
  });
  serve(contract.getLog, log);
  serve(contract.setLogLevel, async ({ body, caller }) => {
    await level.set(body.level, caller);
    return log();
  });
}

type Line = {
  level: number;
  time: string;
  msg?: string;
  requestId?: string;
  req?: { method: string; path: string };
  res?: { status: number };
  err?: { message?: string };
};

/** Reads a line of the log; a line that was cut off for its length is left out. */
function readLine(text: string): contract.Warning[] {
  let line: Line;
  try {
    line = JSON.parse(text) as Line;
  } catch {
    return [];
  }
  const { level, time, msg = '', requestId = null, req, res, err } = line;
  const chain = errorChain(err).flatMap(({ message }) => (typeof message === 'string' ? [message] : []));
  return [
    {
      at: Date.parse(time),
      level: level >= 60 ? 'fatal' : level >= 50 ? 'error' : 'warn',
      message: msg,
      requestId,
      request: req === undefined ? null : `${req.method} ${req.path}${res ? ` → ${res.status}` : ''}`,
      reason: chain.length === 0 ? null : chain.join(': '),
    },
  ];
}

const levelSetting = 'log.level';
const stored = z.object({ level: z.enum(contract.logLevels), until: z.number() });
type OtherLevel = z.infer<typeof stored>;

/** Another log level for 15 minutes, on all replicas and across restarts (RUN-12). */
function createLogLevel({ database, feed, clock, logger }: Core) {
  let current: OtherLevel | null = null;
  const usual = logger.level;
  let timer: NodeJS.Timeout | undefined;

  function show(): { level: string; until: number | null } {
    const { level, until } = current ?? { level: usual, until: null };
    return { level, until };
  }

  function apply(wanted: OtherLevel | null): void {
    clearTimeout(timer);
    const left = (wanted?.until ?? 0) - clock.now();
    current = left > 0 ? wanted : null;
    if (logger.level !== show().level) setLevel(logger, show().level);
    if (current !== null) timer = setTimeout(() => apply(null), left).unref();
  }

  async function follow(): Promise<void> {
    apply(await readLevel(database.read));
  }

  feed.on('log-level', () => {
    follow().catch((error: unknown) => logger.warn({ err: error }, 'the log level could not be read'));
  });

  return {
    begin: follow,
    show,
    async set(level: OtherLevel['level'] | null, caller: Actor): Promise<void> {
      await database.change(async (change) => {
        const { at } = change;
        const wanted = level === null ? null : { level, until: at + contract.otherLevelMs };
        if (wanted !== null) await writeSetting(change.tx, levelSetting, JSON.stringify(wanted));
        else await change.tx.deleteFrom('setting').where('name', '=', levelSetting).execute();
        change.publish('log-level');
        await recordAudit(change, caller, {
          action: 'log.level',
          subject: 'log',
          before: { level: show().level },
          after: { level: level ?? usual },
        });
      });
      await follow();
    },
    close: () => clearTimeout(timer),
  };
}

async function readLevel(read: Reader): Promise<OtherLevel | null> {
  const value = await readSetting(read, levelSetting);
  return value === null ? null : stored.parse(JSON.parse(value));
}
