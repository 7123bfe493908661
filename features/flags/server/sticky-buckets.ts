import type { StickyAssignmentsDocument } from '@growthbook/growthbook';
import type { Core } from '#server/core.ts';
import { countRows } from '#server/platform/database/sql.ts';
import { within } from '#server/platform/time/clock.ts';
import { isWithin } from './attribute-values.ts';
import type { StickyDocuments } from './decide-flags.ts';
import { readDocuments, writeDocuments } from './sticky-buckets.store.ts';
import type { UsageCounts } from './usage-counts.ts';
import { dayStep } from './usage.store.ts';

/** The limits for documents that are stored, and for documents that wait for the database. */
const most = { stored: 1_000_000, waiting: 10_000 };
const mostInTransaction = 250;
const gatherMs = 200;
const afterFailureMs = 10_000;
const countMs = 60_000;
/** The timeout of a read. After a timeout, reads pause for a second (`blindMs`), so that they do not pile up. */
const longestReadMs = 250;
const blindMs = 1_000;
/** A key must fit into PostgreSQL's index, which takes 2,700 bytes. */
const longestKey = 600;

export type StickyBuckets = ReturnType<typeof createStickyBuckets>;

/**
 * Stores the variations that people have (FLAG-21). No answer waits for a write: until the write is done, every
 * process gives the same variation, unless the experiment changes at that time.
 */
export function createStickyBuckets(
  { database, clock, logger }: Pick<Core, 'database' | 'clock' | 'logger'>,
  counts: Pick<UsageCounts, 'note'>,
  limits = most,
) {
  const waiting = new Map<string, StickyAssignmentsDocument>();
  let stored = 0;
  let countedAt = -Infinity;
  let blindUntil = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;

  /** Writes one batch of documents; answers false if the write failed. */
  async function write(): Promise<boolean> {
    const now = clock.now();
    const some = [...waiting].slice(0, mostInTransaction);
    try {
      if (now - countedAt > countMs) {
        stored = await countRows(database.longReads.selectFrom('sticky_bucket'));
        countedAt = now;
      }
      if (some.length > 0) await database.transaction((tx) => writeDocuments(tx, some, now));
    } catch (error) {
      logger.warn({ err: error }, 'the variations of people could not be stored; it is tried again');
      return false;
    }
    for (const [key, document] of some) if (waiting.get(key) === document) waiting.delete(key);
    return true;
  }

  function gather(ms = gatherMs): void {
    timer ??= setTimeout(() => {
      writing = write().then((done) => {
        timer = undefined;
        if (waiting.size > 0) gather(done ? gatherMs : afterFailureMs);
      });
    }, ms).unref();
  }

  /** Reads documents; null if they could not be read in time. */
  async function readInTime(keys: readonly string[]) {
    if (keys.length === 0) return [];
    if (clock.now() < blindUntil) return null;
    const rows = await within(longestReadMs, readDocuments(database.read, keys), null).catch(() => null);
    if (rows === null) blindUntil = clock.now() + blindMs;
    return rows;
  }

  return {
    /**
     * Reads the documents for one person and one evaluation, in the form of GrowthBook's `StickyBucketService`.
     *
     * @param names the attributes by which experiments choose variations
     */
    async read(
      clientKey: string,
      attributes: Record<string, unknown>,
      names: readonly string[],
    ): Promise<StickyDocuments> {
      const holders = new Map<string, Omit<StickyAssignmentsDocument, 'assignments'>>();
      for (const attributeName of names) {
        const given = Object.hasOwn(attributes, attributeName) ? attributes[attributeName] : null;
        if (!given || !isWithin(longestKey, given)) continue;
        const attributeValue = typeof given === 'string' ? given : JSON.stringify(given);
        const key = keyOf({ attributeName, attributeValue });
        // PostgreSQL and UTF-8 do not accept every text.
        if (key.length <= longestKey && key.isWellFormed() && !key.includes('\0'))
          holders.set(key, { attributeName, attributeValue });
      }
      const rows = await readInTime([...holders.keys()]);
      const known = new Map(rows?.map((row) => [row.key, row]));
      const docs: Record<string, StickyAssignmentsDocument> = {};
      for (const [key, holder] of holders) {
        const row = known.get(key);
        const assignments = JSON.parse(row?.assignments ?? 'null') as Record<string, string> | null;
        const document = waiting.get(key) ?? (assignments === null ? undefined : { ...holder, assignments });
        if (document === undefined) continue;
        docs[key] = document;
        if (row !== undefined && row.read_at <= clock.now() - dayStep) void save(document);
      }

      function save(document: StickyAssignmentsDocument): Promise<void> {
        const key = keyOf(document);
        const isNew = !known.has(key) && stored >= limits.stored;
        const hasRoom = waiting.has(key) || (waiting.size < limits.waiting && !isNew);
        if (rows !== null && holders.has(key) && hasRoom) waiting.set(key, document);
        else counts.note(clientKey, 'unkept');
        gather();
        return Promise.resolve();
      }
      return { stickyBucketAssignmentDocs: docs, saveStickyBucketAssignmentDoc: save };
    },

    async close(): Promise<void> {
      clearTimeout(timer);
      await writing;
      clearTimeout(timer);
      while (waiting.size > 0 && (await write()));
    },
  };
}

/** The key of a document, in GrowthBook's form. */
function keyOf({ attributeName, attributeValue }: Omit<StickyAssignmentsDocument, 'assignments'>): string {
  return `${attributeName}||${attributeValue}`;
}
