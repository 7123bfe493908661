import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestRunner, inject, onTestFinished } from 'vitest';
import { newId } from '../platform/keys/ids.ts';
import { migrations } from '../features.ts';
import {
  openDatabase as open,
  sqliteFile,
  type Database,
  type DatabaseLocation,
} from '../platform/database/database.ts';
import { systemClock, type Clock } from '../platform/time/clock.ts';
import { databaseUrl, onServer } from './postgres-server.ts';

const everyEngine = ['sqlite', 'postgres'] as const;
export type Engine = (typeof everyEngine)[number];

/**
 * What everything that touches storage is tested on: `describe.each(engines)('… on %s', (engine) => …)`
 * (RUN-1). `TEST_ENGINE` leaves one of them, for the many runs of `npm run mutants`.
 */
export const engines = everyEngine.filter(
  (engine) => process.env['TEST_ENGINE'] === undefined || process.env['TEST_ENGINE'] === engine,
);

/** For tests whose SQL other tests run on both engines. */
export const oneEngine = engines.slice(0, 1);

/**
 * For tests within a suite for both engines that one engine proves: input that is refused before it is stored,
 * values that are computed, and SQL that other tests run on both. `it.each(provedOn(engine))`.
 */
export const provedOn = (engine: Engine): readonly Engine[] => oneEngine.filter((one) => one === engine);

/** A place of its own for one test: the data folder, and the database in it or on PostgreSQL. */
export type Place = { engine: Engine; dataDir: string; location: DatabaseLocation; remove(): Promise<void> };

/**
 * Makes a database for the test that asks, and removes it when that test has finished. Outside a test
 * (`beforeAll`) the caller removes it.
 *
 * @param content `migrated`: up to date and without rows, copied from a template. `nothing`: not even a
 *   schema.
 */
export async function freshDatabase(
  engine: Engine,
  content: 'migrated' | 'nothing' = 'migrated',
): Promise<Place> {
  const dataDir = mkdtempSync(join(tmpdir(), 'portico-data-'));
  const place = engine === 'sqlite' ? onDisk(dataDir, content) : await onPostgres(dataDir, content);
  afterThisTest(() => place.remove());
  return place;
}

function onDisk(dataDir: string, content: 'migrated' | 'nothing'): Place {
  if (content === 'migrated') copyFileSync(sqliteFile(inject('sqliteTemplate')), sqliteFile(dataDir));
  return {
    engine: 'sqlite',
    dataDir,
    location: { engine: 'sqlite', dataDir },
    remove: () => Promise.resolve(rmSync(dataDir, { recursive: true, force: true })),
  };
}

async function onPostgres(dataDir: string, content: 'migrated' | 'nothing'): Promise<Place> {
  const server = inject('postgresUrl');
  const name = `test_${Buffer.from(newId(), 'base64url').toString('hex')}`;
  await onServer(
    server,
    `create database ${name} template ${content === 'migrated' ? inject('postgresTemplate') : 'template0'} strategy file_copy`,
  );
  return {
    engine: 'postgres',
    dataDir,
    location: { engine: 'postgres', url: databaseUrl(server, name) },
    async remove() {
      await onServer(server, `drop database if exists ${name} with (force)`);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Opens a database as the application does; the test that asked closes it when it has finished, at the latest. */
export async function openDatabase(
  location: DatabaseLocation,
  clock: Clock = systemClock,
): Promise<Database> {
  const database = await open(location, clock, migrations);
  afterThisTest(() => database.close());
  return database;
}

/** A fresh one, opened. */
export const openFresh = async (engine: Engine, clock?: Clock): Promise<Database> =>
  openDatabase((await freshDatabase(engine)).location, clock);

/**
 * Cleans up after the test that is running; last registered, first called. Outside a test nothing is
 * registered.
 */
export function afterThisTest(cleanUp: () => void | Promise<void>): void {
  if (TestRunner.getCurrentTest() !== undefined) onTestFinished(cleanUp);
}
