import { describe, expect, it } from 'vitest';
import pg from 'pg';
import { createFlag, listFlags } from '#features/flags/contract/flags.ts';
import { healthz, readyz } from '#features/health/contract/health.ts';
import { newFlag } from '#features/flags/server/testing/new-flag.ts';
import type { Child } from './testing/child-process.ts';
import { callRoute } from './testing/client.ts';
import { afterThisTest, freshDatabase } from './testing/fresh-database.ts';
import { startOwnPostgres } from './testing/postgres-server.ts';
import { startServerProcess } from './testing/server-process.ts';

type Server = {
  process: Child;
  /** `200`, or `503 UNAVAILABLE`; `no answer` where there was none. */
  ask(
    request: (url: string) => Promise<{ status: number; problem: { code: string } | null }>,
  ): Promise<string>;
  ready(): Promise<string>;
  read(): Promise<string>;
  write(key: string): Promise<string>;
  keys(): Promise<string[]>;
};

async function startServer(databaseUrl: string, dataDir: string): Promise<Server> {
  const place = { dataDir, location: { engine: 'postgres', url: databaseUrl } } as const;
  const { url, server: child, caller } = await startServerProcess(place, ['FLAGS_WRITE', 'FLAGS_READ']);
  const ask: Server['ask'] = (request) =>
    request(url).then(
      ({ status, problem }) => (problem === null ? String(status) : `${status} ${problem.code}`),
      () => 'no answer',
    );
  return {
    process: child,
    ask,
    ready: () => ask(() => callRoute(url, readyz, {})),
    // Rights of a token are read from the database each time.
    read: () => ask(() => callRoute(url, listFlags, {}, caller)),
    write: (key) => ask(() => callRoute(url, createFlag, { body: newFlag(key) }, caller)),
    keys: async () => (await callRoute(url, listFlags, {}, caller)).body.flags.map(({ key }) => key),
  };
}

/**
 * Holds so many requests under way until it is stopped or the server is gone; counts answers, and what was
 * acknowledged.
 */
function load(server: Server, name: string, width: number) {
  const answers = new Map<string, number>();
  const acknowledged: string[] = [];
  const over = new AbortController();
  afterThisTest(() => over.abort());
  async function ask(lane: number): Promise<void> {
    for (let index = 0; !over.signal.aborted; index += 1) {
      const key = `${name}-${lane}-${index}`;
      const answer = await (lane % 2 === 0 ? server.read() : server.write(key));
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
      if (answer === '201') acknowledged.push(key);
      if (answer === 'no answer') return;
    }
  }
  const lanes = Array.from({ length: width }, (_lane, lane) => ask(lane));
  return {
    answers,
    acknowledged,
    async stop() {
      over.abort();
      await Promise.all(lanes);
    },
  };
}

const allowed = ['200', '201', '503 UNAVAILABLE'];
const generous = { interval: 50 };

describe('a PostgreSQL that fails', () => {
  it('RUN-5: ends connections under load, and the process goes on', async () => {
    const place = await freshDatabase('postgres');
    if (place.location.engine !== 'postgres') throw new Error('not PostgreSQL');
    const server = await startServer(place.location.url, place.dataDir);
    const admin = new pg.Client({ connectionString: place.location.url });
    await admin.connect();
    afterThisTest(() => admin.end());
    const under = load(server, 'ended', 50);
    let ended = 0;
    for (let round = 0; round < 20; round += 1) {
      const before = under.answers.get('200') ?? 0;
      await expect.poll(() => under.answers.get('200') ?? 0, generous).toBeGreaterThan(before + 20);
      const { rows } = await admin.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
      ended += rows.length;
    }
    await under.stop();
    expect(ended).toBeGreaterThan(20);
    expect([...under.answers.keys()].filter((answer) => !allowed.includes(answer))).toEqual([]);
    expect(under.answers.get('503 UNAVAILABLE')).toBeGreaterThan(0);
    await expect.poll(server.ready, generous).toBe('200');
    const stored = await server.keys();
    expect(under.acknowledged.filter((key) => !stored.includes(key))).toEqual([]);
    expect(await server.write('afterwards')).toBe('201');
  });

  it('RUN-5: is killed and started again, and the process is ready by itself', async () => {
    const own = await startOwnPostgres(afterThisTest);
    const { dataDir } = await freshDatabase('sqlite', 'nothing');
    const server = await startServer(own.url, dataDir);
    for (const round of [1, 2, 3]) {
      const under = load(server, `killed-${round}`, 20);
      await expect.poll(() => under.acknowledged.length, generous).toBeGreaterThan(5);
      await own.kill();
      await expect.poll(server.ready, generous).toBe('503 UNAVAILABLE');
      expect(await server.ask((url) => callRoute(url, healthz, {}))).toBe('200');
      expect(await server.write(`while-away-${round}`)).toBe('503 UNAVAILABLE');
      await own.restart();
      await expect.poll(server.ready, generous).toBe('200');
      await under.stop();
      expect([...under.answers.keys()].filter((answer) => !allowed.includes(answer))).toEqual([]);
      const stored = await server.keys();
      expect(under.acknowledged.filter((key) => !stored.includes(key))).toEqual([]);
    }
  });

  it('RUN-2: answers nothing any more, and everything that needs it reports so in bounded time', async () => {
    const own = await startOwnPostgres(afterThisTest);
    const { dataDir } = await freshDatabase('sqlite', 'nothing');
    const server = await startServer(own.url, dataDir);
    const under = load(server, 'frozen', 50);
    await expect.poll(() => under.acknowledged.length, generous).toBeGreaterThan(5);
    await own.freeze();
    const frozenAt = performance.now();
    expect(await server.ready()).toBe('503 UNAVAILABLE');
    const readyTook = performance.now() - frozenAt;
    // The promise is 2 s; a busy machine may take longer, and what hung took for ever.
    expect(readyTook).toBeLessThan(20_000);
    const asked = performance.now();
    // More than there are connections, and writes that wait for each other.
    const [reads, writes] = await Promise.all([
      Promise.all(Array.from({ length: 100 }, () => server.read())),
      Promise.all(Array.from({ length: 100 }, (_write, index) => server.write(`late-${index}`))),
    ]);
    const allTook = performance.now() - asked;
    expect(new Set([...reads, ...writes])).toEqual(new Set(['503 UNAVAILABLE']));
    expect(allTook).toBeLessThan(60_000);
    expect(await server.ready()).toBe('503 UNAVAILABLE');
    own.thaw();
    await expect.poll(server.ready, generous).toBe('200');
    await under.stop();
    expect([...under.answers.keys()].filter((answer) => !allowed.includes(answer))).toEqual([]);
    expect(await server.write('afterwards')).toBe('201');
    const stored = await server.keys();
    expect(under.acknowledged.filter((key) => !stored.includes(key))).toEqual([]);
  });
});
