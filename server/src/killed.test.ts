import { describe, expect, it } from 'vitest';
import { createFlag, listFlags } from '#features/flags/contract/flags.ts';
import { startApp } from './testing/app.ts';
import { callRoute } from './testing/client.ts';
import { freshDatabase, oneEngine } from './testing/fresh-database.ts';
import { startServerProcess } from './testing/server-process.ts';

const flag = { type: 'boolean', enabled: true, description: '', defaultValue: true } as const;

describe.each(oneEngine)('a server killed while it writes on %s', (engine) => {
  it('RUN-5: stored all that it acknowledged, and starts again', async () => {
    const place = await freshDatabase(engine);
    const acknowledged: string[] = [];
    for (const enough of [5, 20]) {
      const { url, server, caller } = await startServerProcess(place, ['FLAGS_WRITE', 'FLAGS_READ']);

      const before = acknowledged.length;
      /** Creates one flag after the other until the server is gone. */
      const write = async (writer: number): Promise<void> => {
        for (let index = 0; ; index += 1) {
          const key = `round-${enough}-${writer}-${index}`;
          const body = { ...flag, key, rules: [], tags: [] };
          const status = await callRoute(url, createFlag, { body }, caller).then(
            (answer) => answer.status,
            () => 0,
          );
          if (status === 0) return;
          expect(status).toBe(201);
          acknowledged.push(key);
        }
      };
      const writers = [write(1), write(2), write(3)];
      await expect.poll(() => acknowledged.length - before, { interval: 1 }).toBeGreaterThan(enough);
      await server.kill();
      await Promise.all(writers);

      const app = await startApp({ on: place });
      const stored = (await app.call(listFlags, {}, caller)).body.flags.map(({ key }) => key);
      expect(acknowledged.filter((key) => !stored.includes(key))).toEqual([]);
      const audited = await app.database.read
        .selectFrom('audit')
        .select('subject')
        .where('action', '=', 'flag.create')
        .execute();
      expect(audited.map(({ subject }) => subject).toSorted()).toEqual(
        stored.filter((key) => key.startsWith('round-')).toSorted(),
      );
      await app.stop();
    }
  });
});
