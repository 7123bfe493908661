import { setImmediate as nextTurn } from 'node:timers/promises';
import { errorList } from '#features/diagnostics/contract/diagnostics.ts';
import type { Core } from '#server/core.ts';
import type { Change } from '#server/platform/database/database.ts';
import { publishList } from '#server/platform/database/live-list.ts';
import { noteRefused } from '#server/platform/database/refused.ts';
import { bytesOfEvents } from '../stored-size.ts';
import type { IntakeLimits } from './intake-limits.ts';
import { writeEvents, type GroupChanges, type WaitingEvent } from './write-events.ts';

/** Called in the transaction that writes events, where it made groups or opened resolved ones again. */
export type OnGroups = (change: Change, changes: GroupChanges) => Promise<void>;

export type EventWriter = ReturnType<typeof createEventWriter>;

/** Events that wait at most, and the bytes of their samples. */
const mostWaiting = 4_000;
const mostWaitingBytes = 16 * 1024 * 1024;
/** Events are collected for so long at most before the first of them is written, milliseconds. */
const collectMs = 5;
/**
 * Events of one transaction. On SQLite the event loop waits for it: a hundred take some five milliseconds, and
 * fewer cost more each, since a commit waits for the disk however little it writes. Where one takes longer than it
 * may, the next ones are smaller.
 */
const batchSize = { sqlite: 100, postgres: 250 };
const smallestBatch = 25;
const mostBatchMs = { sqlite: 8, postgres: Number.POSITIVE_INFINITY };
/** Counts that no event carries along are written after so long; browsers load the list again as often. */
const countMs = 2_000;
const publishMs = 1_000;

type Waiting = { event: WaitingEvent; done: (stored: boolean) => void; fail: (error: unknown) => void };

/**
 * Writes events a batch at a time, one transaction after the other, with everything else between them.
 */
export function createEventWriter(
  { database, logger, clock }: Pick<Core, 'database' | 'logger' | 'clock'>,
  { onGroups, limits }: { onGroups: OnGroups; limits: Pick<IntakeLimits, 'admitsGroup' | 'countStored'> },
) {
  const { engine } = database;
  let size = batchSize[engine];
  const waiting: Waiting[] = [];
  let bytes = 0;
  let refused = new Map<number, number>();
  /** So many came lately before one was written: with them nothing more is waited for. */
  let usual = 1;
  let most = Number.POSITIVE_INFINITY;
  let since = 0;
  let enough: (() => void) | undefined;
  let writing: Promise<void> | null = null;
  let publishedAt = 0;
  let later: NodeJS.Timeout | undefined;
  let counting: NodeJS.Timeout | undefined;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      await collected();
      usual = Math.min(size, Math.max(waiting.length, Math.floor(usual * 0.9)));
      await writeBatch(waiting.splice(0, size));
      await nextTurn();
    }
  }

  async function writeBatch(taken: readonly Waiting[]): Promise<void> {
    bytes -= taken.reduce((sum, { event }) => sum + sizeOf(event), 0);
    const counted = refused;
    refused = new Map();
    let begun = 0;
    let none: ReadonlySet<WaitingEvent> = new Set();
    try {
      await database.change(async (change) => {
        begun = performance.now();
        const events = taken.map(({ event }) => event);
        const { admitsGroup } = limits;
        const changes = await writeEvents(change, engine, { events, refused: counted, admitsGroup });
        none = new Set(changes.refused);
        if (changes.created.length + changes.returned.length > 0) await onGroups(change, changes);
        if (taken.length > 0) publishNowAndThen(change);
      });
      const tookLong = performance.now() - begun > mostBatchMs[engine];
      size = tookLong ? Math.max(smallestBatch, size >> 1) : Math.min(batchSize[engine], size + 5);
      for (const { event, done } of taken) {
        const isStored = !none.has(event);
        if (isStored) countStored(event);
        else addRefused(event.projectId, 1);
        done(isStored);
      }
      if (none.size > 0) await noteRefused(database, 'errors', clock.now());
    } catch (error) {
      for (const [projectId, count] of counted) addRefused(projectId, count);
      for (const { fail } of taken) fail(error);
    }
  }

  function countStored({ sample, stranger }: WaitingEvent): void {
    const bytesOfOne = bytesOfEvents([sample?.length ?? null]);
    since += bytesOfOne;
    if (stranger !== null && !limits.countStored(stranger, bytesOfOne)) noteFull();
  }

  function noteFull(): void {
    noteRefused(database, 'errors', clock.now()).catch((error: unknown) =>
      logger.warn({ err: error }, 'that errors are refused could not be noted'),
    );
  }

  function publishNowAndThen(change: Change): void {
    const now = performance.now();
    if (publishedAt > 0 && now - publishedAt < publishMs) {
      later ??= setTimeout(publishLater, publishMs - (now - publishedAt));
      return;
    }
    publishedAt = now;
    publishList(change, errorList);
  }

  function publishLater(): void {
    later = undefined;
    publishedAt = performance.now();
    database
      .change((change) => Promise.resolve(publishList(change, errorList)))
      .catch((error: unknown) => logger.warn({ err: error }, 'new errors could not be published'));
  }

  function addRefused(projectId: number, count: number): void {
    refused.set(projectId, (refused.get(projectId) ?? 0) + count);
    counting ??= setTimeout(() => {
      counting = undefined;
      if (refused.size > 0) void writeBatch([]);
    }, countMs);
    counting.unref();
  }

  /** Resolves once as many have come as did lately, or none for a millisecond. */
  async function collected(): Promise<void> {
    const end = performance.now() + collectMs;
    for (let before = -1; before < waiting.length && waiting.length < usual && performance.now() < end;) {
      before = waiting.length;
      await new Promise<void>((go) => {
        enough = go;
        setTimeout(go, 1);
      });
    }
    enough = undefined;
  }

  function begin(): void {
    writing ??= writeAll().finally(() => {
      writing = null;
      if (waiting.length > 0) begin();
    });
  }

  return {
    /** Whether strangers have sent so much since it was last measured that no more is stored until then. */
    isFull() {
      const full = since > most / 4;
      if (full) noteFull();
      return full;
    },
    /** What is stored, and the most that may be, bytes. */
    measured(stored: number, mostStored: number) {
      most = mostStored;
      // What could not be removed is room that there is not.
      since = Math.max(0, stored - mostStored);
    },
    /** Whether more can wait; a caller that is refused answers 429. */
    hasRoom: () => waiting.length < mostWaiting && bytes < mostWaitingBytes,
    /** True once the event is on disk; false where there is no room for one more kind of error. */
    write(event: WaitingEvent): Promise<boolean> {
      bytes += sizeOf(event);
      return new Promise((done, fail) => {
        waiting.push({ event, done, fail });
        if (waiting.length >= usual) enough?.();
        begin();
      });
    },
    /** Counts an event that a limit refused. */
    countRefused: (projectId: number) => addRefused(projectId, 1),
    /** Writes what waits. */
    async close() {
      clearTimeout(later);
      clearTimeout(counting);
      await writing;
      if (refused.size > 0) await writeBatch([]);
    },
  };
}

function sizeOf({ sample }: WaitingEvent): number {
  return sample?.length ?? 0;
}
