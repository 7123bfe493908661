import { expect, it, describe } from 'vitest';
import { refusedSince } from '#server/platform/database/refused.ts';
import { createLogger } from '#server/platform/log/logger.ts';
import { engines, openFresh, type Engine } from '#server/testing/fresh-database.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { createEventWriter } from './event-writer.ts';
import { makeOwnProject } from './working-keys.ts';
import { writeEvents, type WaitingEvent } from './write-events.ts';

function eventOf(kind: string, given: Partial<WaitingEvent> = {}): WaitingEvent {
  return {
    projectId: 1,
    eventId: `${kind}${Math.random()}`,
    fingerprint: kind,
    kind,
    message: 'It failed',
    place: '',
    level: 'error',
    release: null,
    environment: null,
    browser: null,
    system: null,
    personHash: null,
    sample: null,
    stranger: '192.0.2.1',
    ...given,
  };
}

async function databaseOn(engine: Engine) {
  const clock = movableClock();
  const database = await openFresh(engine, clock);
  await makeOwnProject(database);
  return { database, clock };
}

describe.each(engines)('DIAG-2: room for errors on %s', (engine) => {
  it('DIAG-2: a project has so many kinds of errors of strangers, and one more for each person who is signed in', async () => {
    const { database } = await databaseOn(engine);
    const write = async (events: WaitingEvent[]) => {
      const batch = { events, refused: new Map<number, number>(), admitsGroup: () => true };
      const { created, refused } = await database.change((change) => writeEvents(change, engine, batch, 2));
      return [created.map(({ kind }) => kind), refused.map(({ kind }) => kind)];
    };
    expect(await write([eventOf('A'), eventOf('B'), eventOf('C'), eventOf('C')])).toEqual([
      ['A', 'B'],
      ['C', 'C'],
    ]);
    expect(await write([eventOf('A'), eventOf('D'), eventOf('E', { stranger: null })])).toEqual([
      ['E'],
      ['D'],
    ]);
    const { read } = database;
    const events = await read.selectFrom('error_event').select('from_known').orderBy('n').execute();
    expect(events.map((row) => row.from_known)).toEqual([null, null, null, 1]);
    expect((await read.selectFrom('project_count').select('events').executeTakeFirst())?.events).toBe(4);
  });

  it('DIAG-2: what is stored since it was measured last is bounded', async () => {
    const { database, clock } = await databaseOn(engine);
    const counted: number[] = [];
    const writer = createEventWriter(
      { database, clock, logger: createLogger('error', { write: () => undefined }) },
      {
        onGroups: () => Promise.resolve(),
        limits: { admitsGroup: () => true, countStored: (_address, bytes) => counted.push(bytes) > 0 },
      },
    );
    writer.measured(0, 8_000);
    const sample = Buffer.alloc(1_000);
    expect([await writer.write(eventOf('A', { sample })), writer.isFull()]).toEqual([true, false]);
    expect([await writer.write(eventOf('B', { sample })), writer.isFull()]).toEqual([true, true]);
    expect(counted).toEqual([1_390, 1_390]);
    const noted = () => refusedSince(database.read, 0);
    await expect.poll(noted).toEqual([{ way: 'errors', at: clock.now() }]);
    writer.measured(8_000, 8_000);
    expect(writer.isFull()).toBe(false);
    writer.measured(11_000, 8_000);
    expect(writer.isFull()).toBe(true);
    await writer.close();
  });
});
