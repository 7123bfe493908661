import type { Core } from '#server/core.ts';
import { readSetting, writeSetting } from '#server/platform/database/setting.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { sql } from 'kysely';
import { within } from '#server/platform/time/clock.ts';
import { newId } from '#server/platform/keys/ids.ts';
import type { Place } from './audit-scan.ts';
import { jsonLine } from './export-lines.ts';
import { entriesOf, type PresentNames } from './current-names.ts';
import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import type { LogOutput } from '#server/platform/log/log-output.ts';

/** Where the lines of the audit go. */
type AuditLogOutput = {
  /** Writes lines, each with its line end; resolves once they are written for good. */
  write(lines: string): Promise<void>;
  close(): Promise<void>;
};

const { O_APPEND, O_CREAT, O_NONBLOCK, O_RDWR } = constants;
/** `a+`: a named pipe without a reader fails, rather than blocking a thread and the end of the process. */
const appending = O_APPEND | O_CREAT | O_NONBLOCK | O_RDWR;

/**
 * Writes the lines into the server's log, in order, whole and never dropped; `"type":"audit"` distinguishes them.
 */
export function toLog(log: LogOutput): AuditLogOutput {
  return { write: log.writeAll, close: () => Promise.resolve() };
}

/**
 * Appends to a file, on disk before `write` resolves. Before each write it checks whether the file at that
 * path is still the open one: log rotation may rename or remove it without notifying the server.
 */
export function toFile(path: string): AuditLogOutput {
  let held: { file: FileHandle; ino: number; dev: number } | null = null;

  async function opened(): Promise<FileHandle> {
    const there = await stat(path).catch(() => null);
    if (held !== null && there !== null && held.ino === there.ino && held.dev === there.dev) return held.file;
    await close();
    const file = await open(path, appending, 0o640);
    try {
      const { ino, dev, size } = await file.stat();
      // A line that was cut short, by a full disk or a kill, is sent again; it must not run into what
      // follows.
      if (size > 0 && !(await endsWithLine(file, size))) await file.appendFile('\n');
      held = { file, ino, dev };
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async function close(): Promise<void> {
    const { file } = held ?? {};
    held = null;
    await file?.close().catch(() => undefined);
  }

  return {
    async write(lines) {
      const file = await opened();
      try {
        await file.appendFile(lines);
        // Pipes and the like have nothing to sync.
        if ((await file.stat()).isFile()) await file.datasync();
      } catch (error) {
        await close();
        throw error;
      }
    },
    close,
  };
}

async function endsWithLine(file: FileHandle, size: number): Promise<boolean> {
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] === 0x0a;
}

/*
 * Every row of the audit goes out as one line of JSON, in the order in which it happened, at least once:
 *
 * - Guarded changes commit in the order of their times, so no new row is ever older than the last row that was
 *   read.
 * - A setting stores the last row that was written out. It is saved after the lines are on disk; after a crash
 *   in between those lines are written again.
 * - Only one replica writes at a time: the setting also stores which one, and until when. A replica that has
 *   stopped, or whose output is blocked, loses its turn, and another one continues after the stored row.
 */

const setting = 'audit-log';

/** Rows in one go. */
const batch = 200;

/** How long a turn lasts; it is prolonged with every batch. */
const turnMs = 30_000;

const dayMs = 86_400_000;

/** How long a stop waits for the output. Another replica, or the next start, writes the rest. */
const closeWithinMs = 2_000;

/** How often the log checks for entries that other processes wrote. */
const pollMs = 1_000;

type State = { sent: Place | null; writer: string; until: number };

export type AuditLog = {
  /** Writes out the entries that are not in the log yet; joins a run in progress. Never rejects. */
  run(): Promise<void>;
  /** Writes out the remaining entries and releases the turn. */
  close(): Promise<void>;
};

/** Follows the audit and writes it to a log: first the entries that are not in the log yet, then all new ones. */
export function createAuditLog(
  parts: Pick<Core, 'database' | 'clock' | 'logger'> & {
    output: AuditLogOutput;
    names: PresentNames;
  },
): AuditLog {
  const { database, clock, logger, output, names } = parts;
  const me = newId();
  let closed = false;
  let failing = false;
  let underWay: Promise<void> | null = null;
  let again = false;

  /** Takes or prolongs the turn, stores `sent`, answers where to continue; null: another replica has the turn. */
  function takeTurn(sent: Place | null): Promise<State | null> {
    return database.transaction(async (tx) => {
      await tx
        .insertInto('setting')
        .values({ name: setting, value: JSON.stringify({ sent: null, writer: '', until: 0 }) })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute();
      // Writes the same value again: on PostgreSQL this locks the row until the transaction ends.
      const { value } = await tx
        .updateTable('setting')
        .set({ value: sql<string>`value` })
        .where('name', '=', setting)
        .returning('value')
        .executeTakeFirstOrThrow();
      const state = JSON.parse(value) as State;
      const now = clock.now();
      const isTaken = state.until > now && state.until < now + dayMs;
      // With SQLite only this process uses the data folder, so another process whose turn is stored has stopped.
      if (database.engine === 'postgres' && state.writer !== me && isTaken) return null;
      // A process that is no longer the writer must not move the position back.
      const place = state.writer === me && sent !== null ? sent : state.sent;
      const isAhead = place !== null && place.at > (await latest(tx));
      const next: State = {
        sent: isAhead ? { at: now - turnMs, id: '' } : place,
        writer: me,
        until: now + turnMs,
      };
      await writeSetting(tx, setting, JSON.stringify(next));
      return next;
    });
  }

  async function releaseTurn(): Promise<void> {
    await database.transaction(async (tx) => {
      const state = JSON.parse((await readSetting(tx, setting)) ?? 'null') as State | null;
      if (state?.writer === me) await writeSetting(tx, setting, JSON.stringify({ ...state, until: 0 }));
    });
  }

  let known: State | null = null;

  async function send(): Promise<void> {
    // Looks at the table first, so that no turn is taken for nothing.
    const now = clock.now();
    if (known === null || known.writer !== me || known.until < now + turnMs / 2) known = await takeTurn(null);
    while (known !== null) {
      const rows = await rowsAfter(known.sent);
      const last = rows.at(-1);
      if (last === undefined) return;
      const entries = await entriesOf({ read: database.read, names }, rows);
      // Log lines are permanent, so they contain the names recorded in the rows, not the current names.
      const lines = entries.map((entry) =>
        jsonLine({ ...entry, subject: { ...entry.subject, nameNow: null } }),
      );
      await output.write(lines.join(''));
      known = await takeTurn({ at: last.at, id: last.id });
    }
  }

  /** What is dated later is of a clock that was wrong (docs/clock.md), and comes when its time has come. */
  async function latest(read: Reader): Promise<number> {
    const { at } = await read.selectFrom('revision').select('at').executeTakeFirstOrThrow();
    return Math.max(at, clock.now() + dayMs);
  }

  async function rowsAfter(sent: Place | null) {
    let query = database.read
      .selectFrom('audit')
      .selectAll()
      .where('at', '<=', await latest(database.read));
    if (sent !== null) query = query.where(sql<boolean>`(at, id) > (${sent.at}, ${sent.id})`);
    return query.orderBy('at').orderBy('id').limit(batch).execute();
  }

  async function sendAndLog(): Promise<void> {
    do {
      again = false;
      try {
        await send();
        if (failing) logger.info('the audit is written to its log again');
        failing = false;
      } catch (error) {
        known = null;
        if (!failing)
          logger.error({ err: error }, 'the audit cannot be written to its log; it is tried again');
        failing = true;
        return;
      }
    } while (again);
  }

  function run(): Promise<void> {
    if (underWay !== null) {
      again = true;
      return underWay;
    }
    underWay = sendAndLog().finally(() => (underWay = null));
    return underWay;
  }

  async function sendRest(): Promise<void> {
    await underWay;
    await run();
  }

  const timer = setInterval(() => void run(), pollMs);
  timer.unref();
  database.onChange(() => {
    if (!closed) void run();
  });
  void run();
  return {
    run,
    async close() {
      closed = true;
      clearInterval(timer);
      const sent = sendRest().then(() => true);
      if (!(await within(closeWithinMs, sent, false)))
        logger.warn('the audit log cannot be written; the rest is written later');
      await releaseTurn().catch((error: unknown) =>
        logger.warn({ err: error }, 'the turn at the audit log could not be released; it ends by itself'),
      );
      await output.close();
    },
  };
}
