import fc from 'fast-check';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { getOverview } from '#features/overview/contract/overview.ts';
import { createLogger } from '#server/platform/log/logger.ts';
import { startApp } from '#server/testing/app.ts';
import { afterThisTest, freshDatabase, openDatabase } from '#server/testing/fresh-database.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { addToken } from '#server/testing/people.ts';
import { storeFiles } from '#server/testing/stored-files.ts';
import { checkBackup } from './check-backup.ts';
import { createDailyBackup, lastBackupAt, lastDue } from './daily-backup.ts';

const hour = 3_600_000;
const at = { hour: 3, minute: 0 };
/** Noon, in the zone of this machine. */
const noon = new Date(2026, 10, 29, 12).getTime();

async function folder(): Promise<string> {
  return (await freshDatabase('sqlite', 'nothing')).dataDir;
}

async function installation(keep = 2) {
  const place = await freshDatabase('sqlite');
  await storeFiles(place, { word: 'kept', count: 3 });
  const clock = movableClock(noon);
  const database = await openDatabase(place.location, clock);
  afterThisTest(() => database.close());
  const log: { msg: string; reason?: string; err?: { message: string } }[] = [];
  const logger = createLogger('info', {
    write: (line) => log.push(JSON.parse(line) as (typeof log)[number]),
  });
  const to = await folder();
  const core = { config: { dataDir: place.dataDir }, database, clock, logger, version: '0.0.0' };
  const daily = () => createDailyBackup(core, { folder: to, at, keep });
  const names = () => readdirSync(to).toSorted();
  return { clock, database, to, daily, names, log };
}

describe('RUN-8: when a backup is due', () => {
  it('is the last time of that clock time, at most a day and an hour ago', () => {
    const times = fc.integer({ min: 0, max: 4_000_000_000_000 });
    fc.assert(
      fc.property(times, fc.nat(23), fc.nat(59), (now, ofDay, minute) => {
        const due = lastDue({ hour: ofDay, minute }, now);
        expect(due).toBeLessThanOrEqual(now);
        expect(now - due).toBeLessThan(25 * hour);
        // A time that summer time skips is the one after.
        expect([ofDay, (ofDay + 1) % 24]).toContain(new Date(due).getHours());
      }),
    );
    expect(lastDue(at, noon)).toBe(noon - 9 * hour);
    expect(lastDue({ hour: 12, minute: 0 }, noon)).toBe(noon);
    expect(lastDue({ hour: 12, minute: 1 }, noon)).toBeLessThan(noon - 23 * hour);
  });
});

describe('RUN-8: daily backups', () => {
  it('are made once a day, whole, in the audit, also after a restart; the newest are kept', async () => {
    const { clock, database, daily, names, to } = await installation();
    mkdirSync(join(to, 'of somebody else'));
    writeFileSync(join(to, 'portico-notes.txt'), '');
    const others = ['of somebody else', 'portico-notes.txt'];
    const one = daily();
    await Promise.all([one.makeIfDue(), one.makeIfDue()]);
    const [first = '', ...rest] = names().filter((name) => !others.includes(name));
    expect([/^portico-2026-11-\d\dT\d\d-00-00Z$/.test(first), rest]).toEqual([true, []]);
    expect((await checkBackup(join(to, first), () => {})).faults).toEqual([]);
    expect(await lastBackupAt(database.read)).toBeGreaterThanOrEqual(noon);

    clock.move(14 * hour);
    await daily().makeIfDue();
    expect(names()).toHaveLength(3);
    for (const days of [1, 2]) {
      clock.move(24 * hour);
      await daily().makeIfDue();
      await daily().makeIfDue();
      expect(
        names().filter((name) => !others.includes(name)),
        `after ${days} more`,
      ).toHaveLength(2);
    }
    expect(names()).not.toContain(first);
    expect(names()).toEqual(expect.arrayContaining(others));
  });

  it('that cannot be made say why, leave the others, and are made once they can be', async () => {
    const { daily, names, to, log } = await installation();
    rmSync(to, { recursive: true });
    await daily().makeIfDue();
    expect(log.map(({ msg, err }) => [msg, err?.message])).toEqual([
      ['the daily backup failed; it is tried again', expect.stringMatching(/ENOENT/)],
    ]);
    mkdirSync(to);
    await daily().makeIfDue();
    expect(names()).toHaveLength(1);
  });

  it('that were killed do not count, and are removed', async () => {
    const { daily, names, to } = await installation();
    const killed = 'portico-2026-11-28T03-00-00Z';
    mkdirSync(join(to, `${killed}.partial`));
    writeFileSync(join(to, `${killed}.partial`, 'portico.sqlite'), 'half of it');
    // Renamed by hand, say: without its manifest it is none.
    mkdirSync(join(to, 'portico-2026-11-29T11-00-00Z'));
    await daily().makeIfDue();
    expect(names()).toHaveLength(2);
    expect(names()).not.toContain(`${killed}.partial`);
  });

  it('by a running server begin at its start; the overview names one that is overdue', async () => {
    const to = await folder();
    const place = await freshDatabase('sqlite');
    const clock = movableClock();
    const app = await startApp({ on: place, clock, config: { backups: { folder: to, at, keep: 2 } } });
    await expect.poll(() => readdirSync(to).filter((name) => name.endsWith('Z'))).toHaveLength(1);
    const overdue = async () => {
      const operator = { accessToken: await addToken(app, { rights: ['SETTINGS_WRITE'], clock }) };
      const { attention } = (await app.call(getOverview, { query: {} }, operator)).body;
      return attention.filter(({ kind }) => kind === 'backup');
    };
    await expect.poll(overdue).toEqual([]);
    const madeAt = await lastBackupAt(app.database.read);
    clock.move(27 * hour);
    expect(await overdue()).toEqual([{ kind: 'backup', at: madeAt }]);
  });
});
