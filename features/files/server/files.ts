import { countRows } from '#server/platform/database/sql.ts';
import type { Core } from '#server/core.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { writeSetting, readSetting } from '#server/platform/database/setting.ts';
import { placeSetting, waitingContents } from '#server/platform/files/contents-in-objects.ts';
import { createFileStore, type FileStore } from '#server/platform/files/file-store.ts';
import { addWaiting } from '#server/platform/metrics/metrics.ts';
import { ObjectStoreError } from '#server/platform/object-store/object-store-error.ts';
import { within } from '#server/platform/time/clock.ts';
import type { ObjectStoreLocation } from '#server/platform/object-store/object-store-location.ts';
import { createPeriodic } from '#server/platform/time/periodic.ts';
import type { FileReader } from './files.store.ts';

/** Since when the object store has not answered. */
const awaySetting = 'files-away-since';
/** The object store of the server that was started last. */
const storeSetting = 'files-store';

const addressOf = ({ endpoint, bucket, prefix }: ObjectStoreLocation) => `${endpoint}/${bucket}/${prefix}`;

/** Whether the server that was started last has its files in this store: another one would not find them there. */
export async function usesStore(read: Reader, location: ObjectStoreLocation): Promise<boolean> {
  return (await readSetting(read, storeSetting)) === addressOf(location);
}

/** Since when the object store has not answered, and how much waits for it; null while it answers. */
export async function troubledFiles(read: Reader): Promise<{ since: number; waiting: number } | null> {
  const since = await readSetting(read, awaySetting);
  if (since === null) return null;
  return { since: Number(since), waiting: (await waitingContents(read)).count };
}

/** Uploads, and the store of their bytes. */
export function createFiles(core: Core) {
  const { database, clock, logger } = core;
  const { dataDir, files: objectStore } = core.config;
  const created = createFileStore({ database, dataDir, clock, objectStore });
  const { objects } = created;
  const readers: FileReader[] = [];
  let held = 0;
  let isAway: boolean | null = null;
  let isClosing = false;
  const store: FileStore = {
    ...created,
    async write(source, most, options) {
      const content = await created.write(source, most, options);
      if (options?.later === true) void periodic?.run();
      return content;
    },
  };
  const tasks = { 'object store': tend };
  const periodic = objects === null ? null : createPeriodic(logger, 30_000, tasks);
  if (objects !== null)
    addWaiting(core.metrics, 'files', 'Files that wait to be sent to the object store', waitingContents);

  /** Sends waiting contents to the object store, and records since when that is not possible. */
  async function tend(): Promise<void> {
    if (objects === null) return;
    try {
      await objects.probe();
      const { faults } = await objects.send(() => !isClosing);
      if (faults.length > 0) logger.error({ faults }, 'files could not be sent to the object store');
      await noteAway(null);
    } catch (error) {
      if (!(error instanceof ObjectStoreError)) throw error;
      await noteAway(error);
    }
  }

  async function noteAway(error: ObjectStoreError | null): Promise<void> {
    if (isAway === (error !== null)) return;
    const known = await troubledFiles(database.read);
    if (error !== null) logger.error({ err: error }, 'the object store of files does not answer');
    else if (known !== null) logger.info({}, 'the object store of files answers again');
    await database.transaction(async (tx) => {
      if (error === null) await tx.deleteFrom('setting').where('name', '=', awaySetting).execute();
      else if (known === null) await writeSetting(tx, awaySetting, String(clock.now()));
    });
    isAway = error !== null;
  }

  return {
    store,
    async start() {
      if (objectStore === null) {
        await noteWithoutStore(core);
        return;
      }
      await database.transaction((tx) => writeSetting(tx, storeSetting, addressOf(objectStore)));
      void periodic?.run();
    },
    async close() {
      isClosing = true;
      // The process must not wait for an object store that is silent; contents that are being sent are sent again.
      if (periodic !== null) await within(5_000, periodic.stop(), undefined);
    },
    /** Adds a rule for who may read a file in addition to its owner: one rule for each feature that shows files. */
    addReader: (reader: FileReader) => void readers.push(reader),
    /** The rules for who may read a file in addition to its owner. */
    readers,
    sweeps: {
      ...(objects === null ? {} : tasks),
      async 'contents of files'() {
        const swept = await store.sweep().catch((error: unknown) => {
          if (error instanceof ObjectStoreError) return { held: 0, contents: 0 };
          throw error;
        });
        if (swept.held > 0 && swept.held !== held) logger.warn(swept, heldContents);
        held = swept.held;
      },
    },
  };
}

/** FILES_URL was removed: contents that only the object store has cannot be read, and nothing waits for it now. */
async function noteWithoutStore({ database, logger }: Core): Promise<void> {
  await database.transaction((tx) =>
    tx.deleteFrom('setting').where('name', 'in', [awaySetting, placeSetting, storeSetting]).execute(),
  );
  const files = await countRows(
    database.read
      .selectFrom('object_content')
      .where('state', '=', 'stored')
      .where('hash', 'in', (inner) => inner.selectFrom('file').select('hash')),
  );
  if (files > 0)
    logger.error(
      { files },
      'files are in an object store, and FILES_URL names none: they cannot be read. ' +
        'Set it again, or move them by "portico files move --to local" (docs/object-storage.md)',
    );
}

const heldContents =
  'files that no row names are kept: they may have been uploaded after the state to which the database was put back. ' +
  'Restore a newer backup, or let them go by "portico files sweep --confirm" (docs/backup.md)';
