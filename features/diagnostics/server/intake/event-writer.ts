import { setImmediate as nextTurn } from 'node:timers/promises';
import { errorList } from '#features/diagnostics/contract/diagnostics.ts';
import type { Core } from '#server/core.ts';
import type { Change } from '#server/platform/database/database.ts';
import { publishList } from '#server/platform/database/live-list.ts';
import { noteRefused } from '#server/platform/database/refused.ts';
import { bytesOfEvents } from '../stored-size.ts';
import type { IntakeLimits } from './intake-limits.ts';
import { writeEvents, type GroupChanges, type WaitingEvent } from './write-events.ts';

/** Called in the transaction that writes events, if it created groups or reopened resolved ones. */
export type OnGroups = (change: Change, changes: GroupChanges) => Promise<void>;

export type EventWriter = ReturnType<typeof createEventWriter>;

/** Limits of the queue: events, and the bytes of their samples. */
const mostWaiting = 4_000;
const mostWaitingBytes = 16 * 1024 * 1024;
/** Longest time for which events are collected before a batch is written, milliseconds. */
const collectMs = 5;
/**
 * Events of one transaction. On SQLite the event loop waits for the transaction: a hundred events take some five
 * milliseconds; in smaller batches each event costs more, since every commit waits for the disk. After a
 * transaction that takes longer than `mostBatchMs`, the next batches are smaller.
 */
const batchSize = { sqlite: 100, postgres: 250 };
const smallestBatch = 25;
const mostBatchMs = { sqlite: 8, postgres: Number.POSITIVE_INFINITY };
/** Refused events are counted after `countMs` at the latest; the list is published at most once per `publishMs`. */
const countMs = 2_000;
const publishMs = 1_000;

type Waiting = { event: WaitingEvent; done: (stored: boolean) => void; fail: (error: unknown) => void };

/**
 * Writes events in batches, one transaction after the other; other work runs between them.
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
  /** The usual size of recent batches: once so many events wait, the batch is written at once. */
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

  /** Resolves once `usual` events wait, or none has arrived for a millisecond, or after `collectMs`. */
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
    /** Whether so much was stored since the last `measured` that strangers' events are refused until the next. */
    isFull() {
      const full = since > most / 4;
      if (full) noteFull();
      return full;
    },
    /** Called with the bytes that are stored, as measured, and the most that may be stored. */
    measured(stored: number, mostStored: number) {
      most = mostStored;
      // Bytes above the limit that could not be removed count as stored since then.
      since = Math.max(0, stored - mostStored);
    },
    /** Whether the queue has room; where it has none, the caller answers 429. */
    hasRoom: () => waiting.length < mostWaiting && bytes < mostWaitingBytes,
    /** Resolves to true once the event is on disk, to false where there is no room for a new kind of error. */
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
    /** Writes the waiting events and counts. */
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
