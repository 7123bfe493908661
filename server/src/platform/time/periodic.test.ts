import { describe, expect, it, vi } from 'vitest';
import { afterThisTest, engines, openFresh } from '../../testing/fresh-database.ts';
import { createLogger } from '../log/logger.ts';
import { createPeriodic, sweepInBatches } from './periodic.ts';

function logging() {
  const lines: string[] = [];
  return { logger: createLogger('info', { write: (line) => lines.push(line) }), lines };
}

describe('periodic tasks', () => {
  it('SES-1: run again and again, each alone, until they are stopped', async () => {
    vi.useFakeTimers();
    afterThisTest(() => void vi.useRealTimers());
    const ran: string[] = [];
    const { logger } = logging();
    const periodic = createPeriodic(logger, 1_000, {
      first: () => Promise.resolve(ran.push('first')),
      second: () => Promise.resolve(ran.push('second')),
    });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(ran).toEqual(['first', 'second', 'first', 'second']);
    await periodic.stop();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(ran).toHaveLength(4);
  });

  it('SES-1: go on after one has failed, which is logged', async () => {
    const { logger, lines } = logging();
    let ran = 0;
    const periodic = createPeriodic(logger, 1_000_000, {
      broken: () => Promise.reject(new Error('no table')),
      whole: () => Promise.resolve((ran += 1)),
    });
    await periodic.run();
    expect(ran).toBe(1);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({
        level: 50,
        task: 'broken',
        err: expect.objectContaining({ message: 'no table' }),
      }),
    ]);
    await periodic.stop();
  });

  it('RUN-2: do not run twice at once, and a stop waits for them', async () => {
    const { logger } = logging();
    const gate = Promise.withResolvers<void>();
    let ran = 0;
    const periodic = createPeriodic(logger, 1_000_000, {
      async slow() {
        await gate.promise;
        ran += 1;
      },
    });
    const runs = [periodic.run(), periodic.run()];
    let stopped = false;
    const stop = periodic.stop().then(() => (stopped = true));
    await Promise.resolve();
    expect(stopped).toBe(false);
    gate.resolve();
    await Promise.all([...runs, stop]);
    expect(ran).toBe(1);
  });
});

describe.each(engines)('a sweep on %s', (engine) => {
  it('SES-1: removes everything that has expired, some at a time', async () => {
    const database = await openFresh(engine);
    const rows = Array.from({ length: 1_201 }, (_, index) => ({ name: `old-${index}`, value: '' }));
    await database.transaction((tx) =>
      tx
        .insertInto('setting')
        .values([...rows, { name: 'new', value: '' }])
        .execute(),
    );
    const went: number[] = [];
    await sweepInBatches(database, async (tx, most) => {
      const gone = await tx
        .deleteFrom('setting')
        .where('name', 'in', (select) =>
          select.selectFrom('setting').select('name').where('name', 'like', 'old-%').limit(most),
        )
        .executeTakeFirstOrThrow();
      went.push(Number(gone.numDeletedRows));
      return Number(gone.numDeletedRows);
    });
    expect(went).toEqual([500, 500, 201]);
    expect(await database.read.selectFrom('setting').select('name').execute()).toEqual([{ name: 'new' }]);
  });
});
