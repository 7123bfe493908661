import { packSample } from '#features/diagnostics/server/intake/packed-sample.ts';
import type { TestApp } from './app.ts';
import { newId } from '../platform/keys/ids.ts';
import { searchText } from '../platform/database/sql.ts';

const hourMs = 3_600_000;

/** An error as a test writes it into the database; what is left out has a plain value. */
export type SeededError = {
  id?: string;
  project?: number;
  kind?: string;
  message?: string;
  place?: string;
  status?: string;
  people?: number;
  events?: SeededEvent[];
};

type SeededEvent = {
  at: number;
  eventId?: string;
  release?: string;
  environment?: string;
  personHash?: string;
  /** What came with it, as Sentry's SDKs send it. */
  sample?: object;
};

/** Writes an error with its events and counts; answers its id and the numbers of its events. */
export async function addError(
  app: Pick<TestApp, 'database'>,
  {
    project = 1,
    kind = 'TypeError',
    message = 'x is not a function',
    place = 'main.js load',
    ...more
  }: SeededError,
): Promise<{ id: string; numbers: number[] }> {
  const id = more.id ?? newId();
  const events: SeededEvent[] = more.events ?? [{ at: Date.now() }];
  const times = events.map(({ at }) => at);
  const numbers: number[] = [];
  await app.database.transaction(async (tx) => {
    await tx
      .insertInto('error_group')
      .values({
        id,
        project_id: project,
        fingerprint: id,
        kind,
        message,
        place,
        level: 'error',
        status: more.status ?? 'open',
        resolved_at: more.status === 'resolved' ? 1 : null,
        resolved_in: null,
        returned_at: null,
        first_seen_at: Math.min(...times),
        last_seen_at: Math.max(...times),
        first_release: events[0]?.release ?? null,
        last_release: events.at(-1)?.release ?? null,
        events: events.length,
        people: more.people ?? 0,
        search_key: searchText(`${kind}\n${message}\n${place}`),
        version: 1,
      })
      .execute();
    for (const { at, eventId, release, environment, personHash, sample } of events) {
      const { n } = await tx
        .insertInto('error_event')
        .values({
          event_id: eventId ?? newId().padEnd(32, '0'),
          group_id: id,
          received_at: at,
          release: release ?? null,
          environment: environment ?? null,
          browser: 'Firefox 150',
          system: 'Linux',
          person_hash: personHash ?? null,
        })
        .returning('n')
        .executeTakeFirstOrThrow();
      numbers.push(n);
      const facets = [
        ['release', release],
        ['environment', environment],
        ['browser', 'Firefox 150'],
        ['system', 'Linux'],
      ] as const;
      for (const [facet, value] of facets) {
        if (value === undefined) continue;
        await tx
          .insertInto('error_facet')
          .values({ group_id: id, facet, value, events: 1, last_seen_at: at })
          .onConflict((conflict) =>
            conflict
              .columns(['group_id', 'facet', 'value'])
              .doUpdateSet((row) => ({ events: row('error_facet.events', '+', 1) })),
          )
          .execute();
      }
      await tx
        .insertInto('error_count')
        .values({ group_id: id, hour: Math.floor(at / hourMs) * hourMs, events: 1 })
        .onConflict((conflict) =>
          conflict
            .columns(['group_id', 'hour'])
            .doUpdateSet((row) => ({ events: row('error_count.events', '+', 1) })),
        )
        .execute();
      if (sample !== undefined) {
        const payload = await packSample(sample);
        await tx
          .insertInto('error_sample')
          .values({ n, group_id: id, size: payload.length, payload })
          .execute();
      }
    }
  });
  return { id, numbers };
}
