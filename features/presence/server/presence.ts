import { createHmac } from 'node:crypto';
import type { PresenceOfBrowser, Presence as Counted } from '#features/presence/contract/presence.ts';
import type { Core } from '#server/core.ts';
import type { Database, Reader } from '#server/platform/database/database.ts';
import { installationSecret } from '#server/platform/database/setting.ts';
import { newId } from '#server/platform/keys/ids.ts';
import type { Logger } from '#server/platform/log/logger.ts';
import * as store from './presence.store.ts';

/** Counts connected people and tabs. No names, and no history of people. */
export type Presence = {
  opened(connection: { connectionId: string; personId: string } & PresenceOfBrowser): void;
  closed(connectionId: string): void;
  /** Answers false if the person has no connection with this id, on this replica or another one. */
  publish(connectionId: string, personId: string, browser: PresenceOfBrowser): Promise<boolean>;
  count(): Promise<Counted>;
  /** The ids of at most `most` people connected to any process; the people connected to this process come first. */
  peopleConnected(most: number): Promise<string[]>;
  /** Removes the connections of this process, which ends, from the counts. */
  close(): Promise<void>;
};

/** A single process keeps its connections in memory; several write them to the database, where each can count all. */
export async function createPresence({ database, logger }: Core): Promise<Presence> {
  if (database.engine === 'sqlite') return presenceInMemory();
  return presenceInRows({ database, logger, secret: await installationSecret(database, 'presence') });
}

/** Presence for an installation with a single process, which holds the data folder. */
export function presenceInMemory(): Presence {
  const browsers = new Map<string, { personId: string } & PresenceOfBrowser>();
  return {
    opened: ({ connectionId, ...browser }) => browsers.set(connectionId, browser),
    closed: (connectionId) => browsers.delete(connectionId),
    publish(connectionId, personId, browser) {
      const known = browsers.get(connectionId)?.personId === personId;
      if (known) browsers.set(connectionId, { personId, ...browser });
      return Promise.resolve(known);
    },
    count() {
      const people = new Set<string>();
      let [tabs, unsaved] = [0, 0];
      for (const browser of browsers.values()) {
        people.add(browser.personId);
        tabs += browser.tabs;
        unsaved += browser.unsaved;
      }
      return Promise.resolve({ people: people.size, tabs, unsaved });
    },
    peopleConnected: (most) =>
      Promise.resolve([...new Set([...browsers.values()].map(({ personId }) => personId))].slice(0, most)),
    close() {
      browsers.clear();
      return Promise.resolve();
    },
  };
}

const writeEveryMs = 250;
const afterFailureMs = 2_000;
const heartbeatMs = 10_000;
/** Attempts to change a browser's row: the change may arrive before another replica has inserted the row. */
const tries = 3;
/** People whose hashes are computed in one go: about 5 ms. */
const hashedAtOnce = 1_000;

type Waiting = {
  row: store.BrowserRow;
  left: number;
  answer(found: boolean): void;
  fail(error: unknown): void;
};

/**
 * Presence for any number of processes on one PostgreSQL database. Changes are written in batches, a few
 * times a second, one write at a time; a failed batch is written with the next one. A browser's report is
 * answered after its write, so that two reports of a browser stay in order. Processes without a recent
 * heartbeat are not counted. Rows contain keyed hashes of people; the people connected to other processes are
 * found by hashing the ids of all who have a session.
 */
function presenceInRows(parts: { database: Database; logger: Logger; secret: string }): Presence {
  const { logger, secret } = parts;
  const db: Reader = parts.database.read;
  const processId = newId();
  const own = new Map<string, store.BrowserRow>();
  /** The people connected to this process, by the id of the connection; in memory only. */
  const here = new Map<string, string>();
  let added = new Map<string, store.BrowserRow>();
  let removed = new Set<string>();
  let waiting: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let closed = false;

  const hashOf = (personId: string) => createHmac('sha256', secret).update(personId).digest('base64url');

  function writeSoon(afterMs = writeEveryMs): void {
    if (closed || timer !== undefined) return;
    timer = setTimeout(() => {
      writing = writeAndGoOn();
    }, afterMs);
    timer.unref();
  }

  async function writeAndGoOn(): Promise<void> {
    let next = writeEveryMs;
    try {
      await write();
    } catch (error) {
      logger.warn({ err: error }, 'presence could not be written; it is tried again');
      next = afterFailureMs;
    }
    timer = undefined;
    if (added.size > 0 || removed.size > 0 || waiting.length > 0) writeSoon(next);
  }

  async function write(): Promise<void> {
    const [rows, ids, updates] = [added, removed, waiting];
    added = new Map();
    removed = new Set();
    waiting = [];
    try {
      if (rows.size > 0) await store.addBrowsers(db, processId, [...rows.values()]);
      if (updates.length > 0) await change(updates);
      if (ids.size > 0) await store.removeBrowsers(db, [...ids]);
    } catch (error) {
      for (const [id, row] of rows) if (own.has(id)) added.set(id, row);
      removed = new Set([...ids, ...removed]);
      for (const { fail } of updates) fail(error);
      throw error;
    }
  }

  async function change(updates: readonly Waiting[]): Promise<void> {
    // Only the last report of each browser is written: one statement would apply two of them in any order.
    const keyOf = ({ row }: Waiting) => `${row.connectionId} ${row.personHash}`;
    const last = new Map(updates.map((one) => [keyOf(one), one.row]));
    const found = await store.changeBrowsers(db, [...last.values()]);
    for (const row of found) if (own.has(row.connectionId)) own.set(row.connectionId, row);
    for (const one of updates) {
      const row = last.get(keyOf(one));
      if (row !== undefined && found.has(row)) one.answer(true);
      else if (one.left <= 1) one.answer(false);
      else waiting.push({ ...one, left: one.left - 1 });
    }
  }

  async function beat(): Promise<void> {
    try {
      if (!(await store.recordHeartbeat(db, processId))) for (const [id, row] of own) added.set(id, row);
      await store.sweepPresence(db);
    } catch (error) {
      logger.warn({ err: error }, 'presence could not be kept alive; it is tried again');
    }
    if (added.size > 0) writeSoon();
  }

  let beating = beat();
  const heart = setInterval(() => {
    beating = beat();
  }, heartbeatMs);
  heart.unref();

  return {
    opened({ connectionId, personId, tabs, unsaved }) {
      const row = { connectionId, personHash: hashOf(personId), tabs, unsaved };
      own.set(connectionId, row);
      here.set(connectionId, personId);
      added.set(connectionId, row);
      writeSoon();
    },
    closed(connectionId) {
      own.delete(connectionId);
      here.delete(connectionId);
      if (!added.delete(connectionId)) removed.add(connectionId);
      writeSoon();
    },
    publish(connectionId, personId, browser: PresenceOfBrowser) {
      const row = { connectionId, personHash: hashOf(personId), ...browser };
      return new Promise((answer, fail) => {
        waiting.push({ row, left: tries, answer, fail });
        writeSoon();
      });
    },
    count: () => store.countBrowsers(db),
    async peopleConnected(most) {
      const ids = new Set([...new Set(here.values())].slice(0, most));
      const hashes = new Set(await store.hashesConnected(db));
      for (const id of here.values()) hashes.delete(hashOf(id));
      for (let behind = ''; hashes.size > 0 && ids.size < most;) {
        const people = await store.peopleWithSessions(db, behind, hashedAtOnce);
        for (const id of people) if (ids.size < most && hashes.delete(hashOf(id))) ids.add(id);
        if (people.length < hashedAtOnce) break;
        behind = people.at(-1) ?? '';
      }
      return [...ids];
    },
    async close() {
      closed = true;
      clearInterval(heart);
      clearTimeout(timer);
      await beating;
      await writing;
      for (const { answer } of waiting) answer(false);
      try {
        await store.removeProcess(db, processId);
      } catch (error) {
        // The shutdown continues; other processes remove a process without a heartbeat.
        logger.warn({ err: error }, 'presence could not be removed');
      }
    },
  };
}
