import { setTimeout as pause } from 'node:timers/promises';
import { errorLimits } from '#features/diagnostics/contract/diagnostics.ts';
import type { Core } from '#server/core.ts';
import type { Reader, Writer } from '#server/platform/database/database.ts';
import { removeCounts } from './remove-errors.ts';
import { readSettings } from './settings.store.ts';
import { bytesOfEvents, bytesOfGroup, storedSize } from './stored-size.ts';
import { removeMaps } from './source-maps/source-maps.store.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;
/** Days for which counts stay, since charts show them, even when their events are removed earlier. */
const leastCountDays = 31;
/** Events that one transaction removes: a write of SQLite blocks the whole process. */
const eventsAtOnce = 50;
/** Pause between two such transactions, in which other work runs, milliseconds. */
const pauseMs = 5;
const groupsAtOnce = 20;
const mapsAtOnce = 50;
const releasesAtOnce = 100;
/** Values of a full facet that one sweep removes, to make room for others. */
const roomForValues = 10;

/**
 * Removes events that are too old, and the oldest events where all take too many bytes; then errors without events
 * that were last seen before the age limit, and source maps of releases without recent events (DIAG-2).
 * The total counts of an error stay. Reports are not touched.
 *
 * @param stopping ends the sweep between two transactions; the rest is removed after the next start
 */
export async function sweepEvents(
  { database, clock }: Pick<Core, 'database' | 'clock'>,
  stopping: AbortSignal,
): Promise<{ bytes: number; most: number }> {
  const { eventDays, eventMegabytes } = await readSettings(database.read);
  const before = clock.now() - eventDays * dayMs;
  const countsBefore = clock.now() - Math.max(eventDays, leastCountDays) * dayMs;
  const sweep = { before, countsBefore };

  while (!stopping.aborted && (await hasOlder(database.read, before))) {
    await database.transaction((tx) => removeOldest(tx, { ...sweep, olderThan: before, from: 'all' }));
    await pause(pauseMs);
  }

  const { bytes } = await storedSize(database.longReads);
  const most = eventMegabytes * 1024 * 1024;
  let excess = bytes - most;
  for (const from of ['strangers', 'all'] as const) {
    while (!stopping.aborted && excess > 0) {
      const freed = await database.transaction((tx) => removeOldest(tx, { ...sweep, olderThan: null, from }));
      if (freed === 0) break;
      excess -= freed;
      await pause(pauseMs);
    }
    // Errors left without events are removed before events of people who were signed in.
    while (!stopping.aborted && excess > 0) {
      const freed = await removeEmptyGroups(database, clock.now());
      if (freed.count === 0) break;
      excess -= freed.bytes;
    }
  }

  const stored = { bytes: most + excess, most };
  if (stopping.aborted) return stored;
  await repeated(groupsAtOnce, async () => (await removeEmptyGroups(database, before)).count);
  await database.transaction((tx) =>
    tx.deleteFrom('project_count').where('hour', '<', countsBefore).execute(),
  );
  await makeRoomForValues(database);
  await removeOldMaps(database, before);
  await repeated(releasesAtOnce, () => database.transaction((tx) => removeOldReleases(tx, before)));
  return stored;
}

async function repeated(atOnce: number, remove: () => Promise<number>): Promise<void> {
  for (let gone = atOnce; gone === atOnce;) gone = await remove();
}

async function hasOlder(read: Reader, before: number): Promise<boolean> {
  const oldest = await read
    .selectFrom('error_event')
    .select('received_at')
    .orderBy('n')
    .limit(1)
    .executeTakeFirst();
  return oldest !== undefined && oldest.received_at < before;
}

type Sweep = {
  /** Facet values that were last seen before this time are removed too. */
  before: number;
  countsBefore: number;
  /** Only events that arrived before this time are removed; null: the oldest events of any age. */
  olderThan: number | null;
  /** `strangers`: only events whose senders were not signed in. */
  from: 'strangers' | 'all';
};

/** Removes the oldest events with their samples, and old counts of their errors; returns the events' bytes. */
async function removeOldest(tx: Writer, { before, countsBefore, olderThan, from }: Sweep): Promise<number> {
  const oldest = await tx
    .selectFrom('error_event')
    .leftJoin('error_sample', 'error_sample.n', 'error_event.n')
    .select(['error_event.n', 'error_event.group_id', 'received_at', 'error_sample.size'])
    .$if(from === 'strangers', (query) => query.where('from_known', 'is', null))
    .orderBy('error_event.n')
    .limit(eventsAtOnce)
    .execute();
  const removed = olderThan === null ? oldest : oldest.filter(({ received_at: at }) => at < olderThan);
  if (removed.length === 0) return 0;
  await tx
    .deleteFrom('error_event')
    .where(
      'n',
      'in',
      removed.map(({ n }) => n),
    )
    .execute();
  const groups = [...new Set(removed.map(({ group_id: id }) => id))];
  await tx
    .deleteFrom('error_count')
    .where('group_id', 'in', groups)
    .where('hour', '<', countsBefore)
    .execute();
  await tx
    .deleteFrom('error_facet')
    .where('group_id', 'in', groups)
    .where('last_seen_at', '<', before)
    .execute();
  return bytesOfEvents(removed.map(({ size }) => size));
}

/** Removes some of the errors without events that were last seen before a time, the oldest first. */
async function removeEmptyGroups(
  database: Core['database'],
  before: number,
): Promise<{ count: number; bytes: number }> {
  const found = await emptyGroups(database.longReads, before)
    .orderBy('last_seen_at')
    .limit(groupsAtOnce)
    .execute();
  for (const { id } of found) {
    for (let more = true; more;) {
      more = await database.transaction(async (tx) => {
        // An event may have come since.
        const still = await emptyGroups(tx, before).where('id', '=', id).executeTakeFirst();
        return still !== undefined && removeCounts(tx, id);
      });
    }
  }
  return { count: found.length, bytes: found.reduce((sum, group) => sum + bytesOfGroup(group), 0) };
}

function emptyGroups(read: Reader, before: number) {
  return read
    .selectFrom('error_group')
    .select(['id', 'people'])
    .where('status', 'in', ['open', 'resolved', 'ignored'])
    .where('last_seen_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('error_event').select('n').whereRef('group_id', '=', 'error_group.id'))),
    );
}

/**
 * An error counts a bounded number of values of each facet. Where a facet is full, the values that were last
 * seen longest ago are removed, so that new releases find a place.
 */
async function makeRoomForValues(database: Core['database']): Promise<void> {
  const full = await database.longReads
    .selectFrom('error_facet')
    .select(['group_id', 'facet'])
    .groupBy(['group_id', 'facet'])
    .having(({ fn }) => fn.countAll(), '>=', errorLimits.facetValues)
    .execute();
  for (const { group_id: group, facet } of full) {
    await database.transaction((tx) =>
      tx
        .deleteFrom('error_facet')
        .where('group_id', '=', group)
        .where('facet', '=', facet)
        .where('value', 'in', (row) =>
          row
            .selectFrom('error_facet')
            .select('value')
            .where('group_id', '=', group)
            .where('facet', '=', facet)
            .orderBy('last_seen_at')
            .limit(roomForValues),
        )
        .execute(),
    );
  }
}

/** Removes source maps of releases that were uploaded before a time and have had no events since then. */
async function removeOldMaps(database: Core['database'], before: number): Promise<void> {
  const releases = await database.longReads
    .selectFrom('source_map')
    .select(['project_id', 'release'])
    .groupBy(['project_id', 'release'])
    .having(({ fn }) => fn.max('created_at'), '<', before)
    .execute();
  for (const { project_id, release } of releases) {
    if (await hasEventsSince(database.longReads, project_id, release, before)) continue;
    await repeated(mapsAtOnce, () =>
      database.transaction((tx) => removeMaps(tx, { project_id, release }, mapsAtOnce)),
    );
  }
}

async function hasEventsSince(
  read: Reader,
  projectId: number,
  release: string,
  since: number,
): Promise<boolean> {
  const row = await read
    .selectFrom('error_facet')
    .innerJoin('error_group', 'error_group.id', 'error_facet.group_id')
    .select('error_group.id')
    .where('facet', '=', 'release')
    .where('value', '=', release)
    .where('project_id', '=', projectId)
    .where('error_facet.last_seen_at', '>=', since)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Forgets releases that no error names any more, so that there is room for newer ones. */
async function removeOldReleases(tx: Writer, before: number): Promise<number> {
  const old = await tx
    .selectFrom('project_release')
    .select(['project_id', 'release'])
    .where('first_seen_at', '<', before - hourMs)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('error_facet')
            .select('value')
            .where('facet', '=', 'release')
            .whereRef('value', '=', 'project_release.release'),
        ),
      ),
    )
    .limit(releasesAtOnce)
    .execute();
  for (const { project_id, release } of old)
    await tx
      .deleteFrom('project_release')
      .where('project_id', '=', project_id)
      .where('release', '=', release)
      .execute();
  return old.length;
}
