import { sql } from 'kysely';
import {
  checks,
  getLog,
  lookAt,
  setLogLevel,
  type Log,
  type Warning,
} from '#features/health/contract/doctor.ts';
import type { Core } from '#server/core.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { errorChain, recentWarnings } from '#server/platform/log/logger.ts';
import { examine, newestMigration, type FileFound } from './doctor.ts';
import type { createLogLevel } from './log-level.ts';

/** What `portico doctor` looks at, the log's warnings, and its level, for the console. */
export function doctorRoutes(
  serve: Serve,
  { config, database, clock, logger }: Core,
  known: readonly string[],
  level: ReturnType<typeof createLogLevel>,
): void {
  /** In the thread for long reads: a check of a large file takes seconds. */
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

  serve(lookAt, async ({ params }) => {
    const check = checks.find((one) => one === params.check);
    if (check === undefined) throw new HttpProblem('NOT_FOUND', { detail: 'There is no such check.' });
    return { steps: await examine(check, { config, known, file, opened: { database, clock } }) };
  });

  const log = (): Log => ({
    warnings: recentWarnings(logger).flatMap(readLine).toReversed(),
    ...level.show(),
  });
  serve(getLog, log);
  serve(setLogLevel, async ({ body, caller }) => {
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

/** A line of the log; one that was cut off for its length is left out. */
function readLine(text: string): Warning[] {
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
