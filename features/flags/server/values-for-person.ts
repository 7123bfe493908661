import type { ChangeFeed } from '#server/platform/database/change-feed.ts';
import type { Database } from '#server/platform/database/database.ts';
import { createReadThroughCache } from '#server/platform/database/read-through-cache.ts';
import { personAttributes } from '#features/profile/server/person-attributes.ts';
import type { LiveFlags } from './live-flags.ts';
import { emptyRequest } from './evaluate.ts';
import type { Payload } from './payload.ts';
import type { UsageCounts } from './usage-counts.ts';
import { countEach } from './value-slots.ts';

const mostPeople = 10_000;

/** Replaces a client key in the counts for pages of applications, which get their flags from `portico.js`. */
export const pagesOfApplications = 'portico.js';

/** The attributes of each person that rules may ask about, by the person's id. */
export type PersonAttributesCache = ReturnType<typeof cacheAttributes>;

/** Reads the attributes of people, and caches them until they change. */
export function cacheAttributes({ database, feed }: { database: Database; feed: ChangeFeed }) {
  const attributes = createReadThroughCache({
    max: mostPeople,
    read: (personId) => personAttributes(database.read, personId),
  });
  for (const topic of ['person', 'rights'] as const)
    feed.on(topic, ({ key }) => (key === '' ? attributes.dropAll() : attributes.drop(key)));
  return attributes;
}

/**
 * Answers the values of flags by key, evaluated for a person with the attributes that Portico knows; for null, only
 * of flags that are also for people who are not signed in. The values include every change made before the call.
 */
export function createValuesFor(
  flags: Pick<LiveFlags, 'current' | 'caughtUp' | 'usage'>,
  attributes: PersonAttributesCache,
  counts: UsageCounts,
) {
  return async (personId: string | null): Promise<Record<string, unknown>> => {
    await flags.caughtUp();
    const person = personId === null ? null : await attributes.get(personId);
    flags.usage.evaluations += 1;
    const payload = flags.current();
    counts.whole(pagesOfApplications);
    const bulk = counts.bulk(pagesOfApplications, payload.evaluator);
    const evaluated = JSON.parse(featuresFor(payload, person, bulk)) as Record<
      string,
      { defaultValue?: unknown }
    >;
    return Object.fromEntries(
      Object.entries(evaluated).map(([key, { defaultValue }]) => [key, defaultValue]),
    );
  };
}

/** The evaluated features as JSON text, for a person with these attributes, or without a signed-in person. */
export function featuresFor(
  { evaluator, signedOut, signedOutSlots }: Payload,
  attributes: Record<string, unknown> | null,
  counts: Uint32Array,
): string {
  if (attributes !== null) return evaluator.evaluate({ ...emptyRequest, attributes }, counts).features;
  countEach(counts, signedOutSlots);
  return signedOut;
}
