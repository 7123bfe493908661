import type { Logger } from '../log/logger.ts';
import type { Clock } from '../time/clock.ts';
import type { Database, Reader, Writer } from './database.ts';

/** The rows of an outbox that are to be sent; each is written in the transaction of what causes it. */
export type OutboxRows<Job> = {
  /** When the next row may be tried, milliseconds; null: none waits. */
  nextDue(read: Reader, now: number): Promise<number | null>;
  /** Claims up to `most` rows that are due; until the claim ends no other process tries them. */
  claim(tx: Writer, engine: Database['engine'], now: number, most: number): Promise<Job[]>;
  /** Ends all claims. */
  dropClaims(tx: Writer, now: number): Promise<void>;
};

export type Outbox<Job> = {
  /** Looks for what is due; to be called once a new row is committed. */
  wake(): void;
  underWay(): readonly { job: Job; cancel(): void }[];
  close(): Promise<void>;
};

/** The least time between two looks where a row is due that another process is just claiming. */
const shortestPauseMs = 250;
const afterFailureMs = 5_000;
const cutOffMs = 5_000;

/**
 * Sends the rows of an outbox until it is closed.
 *
 * Each process claims rows before it sends them. If it dies, its claims run out and another process sends the rows.
 * A look for due rows costs only a read while none is due.
 */
export function startOutbox<Job extends { readonly id: string }>(parts: {
  database: Database;
  clock: Clock;
  rows: OutboxRows<Job>;
  /** Sends a job and writes the outcome. If it rejects, the claim runs out and the job is sent again. */
  send(job: Job, signal: AbortSignal): Promise<void>;
  onSendError(error: unknown, job: Job): void;
  logger: Logger;
  /** The log line for a look that failed. */
  failure: string;
  /** The most that are sent at the same time. */
  most?: number;
  /** The longest time between two looks while rows wait, milliseconds. */
  longestPauseMs: number;
  /** The time between two looks while no row waits, milliseconds; left out: it looks when it is woken. */
  idlePauseMs?: number;
}): Outbox<Job> {
  const { database, clock, rows, most = Infinity } = parts;
  const underWay = new Map<string, { job: Job; cancel(): void; over: Promise<void> }>();
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();
  let wanted = false;

  function wake(): void {
    if (closed || wanted) return;
    wanted = true;
    looking = looking.then(async () => {
      wanted = false;
      if (closed) return;
      clearTimeout(timer);
      try {
        await look();
      } catch (error) {
        parts.logger.error({ err: error }, parts.failure);
        wakeIn(afterFailureMs);
      }
    });
  }

  function wakeIn(milliseconds: number): void {
    clearTimeout(timer);
    if (closed) return;
    timer = setTimeout(wake, milliseconds);
    timer.unref();
  }

  async function look(): Promise<void> {
    const free = most - underWay.size;
    // Each job that ends wakes the outbox again.
    if (free <= 0) return;
    let next = await rows.nextDue(database.read, clock.now());
    if (next !== null && next <= clock.now()) {
      const jobs = await database.transaction((tx) => rows.claim(tx, database.engine, clock.now(), free));
      for (const job of jobs) send(job);
      next = await rows.nextDue(database.read, clock.now());
    }
    if (next !== null) {
      wakeIn(Math.min(Math.max(next - clock.now(), shortestPauseMs), parts.longestPauseMs));
    } else if (parts.idlePauseMs !== undefined) wakeIn(parts.idlePauseMs);
  }

  function send(job: Job): void {
    const cancel = new AbortController();
    const over = parts
      .send(job, cancel.signal)
      .catch((error: unknown) => parts.onSendError(error, job))
      .finally(() => {
        underWay.delete(job.id);
        wake();
      });
    underWay.set(job.id, { job, cancel: () => cancel.abort(), over });
  }

  // On SQLite there is no other process that sends: a claim at the start is one of a process that was killed.
  if (database.engine === 'sqlite') {
    looking = database.transaction((tx) => rows.dropClaims(tx, clock.now())).catch(() => undefined);
  }
  wake();

  return {
    wake,
    underWay: () => [...underWay.values()],
    async close() {
      closed = true;
      clearTimeout(timer);
      await looking;
      const cutOff = setTimeout(() => {
        for (const { cancel } of underWay.values()) cancel();
      }, cutOffMs);
      await Promise.all([...underWay.values()].map(({ over }) => over));
      clearTimeout(cutOff);
    },
  };
}
