import type { Core } from '#server/core.ts';
import { countRows } from '#server/platform/database/sql.ts';
import {
  listSeenAttributes,
  previewFlag,
  tryFlag,
  type FlagDefinition,
} from '#features/flags/contract/trials.ts';
import type { AccessControl, Caller } from '#server/platform/http/access-check.ts';
import { HttpProblem, orNotFound } from '#server/platform/http/http-problem.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import type { Presence } from '#features/presence/server/presence.ts';
import { fullName } from '#features/directory/server/people-names.ts';
import { attributesOfPeople } from '#features/profile/server/person-attributes.ts';
import { effectOn, prepareTrial } from './flag-trials.ts';
import { flagIn, readFlags, refuseMistakes } from './flags.store.ts';
import type { MaintenanceProjection } from './payload.ts';
import { timeWarnings } from './rules.ts';
import { createListReader, readSegments } from './segments.store.ts';
import { createTally, type SeenAttributes } from './seen-attributes.ts';
import type { PersonAttributesCache } from './values-for-person.ts';

export type FlagTrialRoutesOptions = Pick<Core, 'database' | 'clock'> & {
  maintenance: { now(): MaintenanceProjection };
  presence: Pick<Presence, 'peopleConnected'>;
  attributes: PersonAttributesCache;
  seen: Pick<SeenAttributes, 'list'>;
  rightsOf: AccessControl['rightsOf'];
};

/** The limit for connected people whose attributes are read: each person who is not in memory costs a read. */
const mostPeople = 1_000;
/** The number of people that are read at once. */
const pageSize = 500;

/** Evaluates a flag that is being edited. Nothing is written. */
export function flagTrialRoutes(serve: Serve, options: FlagTrialRoutesOptions): void {
  const { database, clock, maintenance, presence, attributes, seen } = options;
  const readLists = createListReader();

  /** Prepares the saved and the edited flag. Throws NOT_FOUND; INVALID_BODY for a definition that cannot be saved. */
  async function prepare(key: string, definition: FlagDefinition, now = clock.now()) {
    const all = await readFlags(database.read);
    const saved = flagIn(all, key);
    const segments = await readSegments(database.read);
    const warnings = [
      ...refuseMistakes(key, definition, all, segments),
      ...timeWarnings(definition.rules, now),
    ];
    const lists = await readLists(database.read, segments);
    const prepared = (one: Pick<FlagDefinition, 'defaultValue' | 'rules'>) =>
      prepareTrial(key, one, all, maintenance.now(), { segments, lists, now });
    return { saved, before: prepared(saved), after: prepared(definition), warnings };
  }

  // A definition can ask anything about people, so evaluating one for people also takes PEOPLE_READ.
  async function refuseWithoutPeople(caller: Caller): Promise<void> {
    if ((await options.rightsOf(caller)).has('PEOPLE_READ')) return;
    throw new HttpProblem('RIGHT_MISSING', { detail: 'The right PEOPLE_READ is needed too.' });
  }

  async function peopleConnected() {
    const ids = await presence.peopleConnected(mostPeople);
    const found = await Promise.all(ids.map(async (id) => attributes.get(id)));
    return found.filter((person) => person !== null);
  }

  serve(listSeenAttributes, async ({ caller }) => {
    const mayKnowPeople = (await options.rightsOf(caller)).has('PEOPLE_READ');
    const people = createTally();
    for (const person of await peopleConnected()) people.note(person);
    const own = people.list();
    const sent = seen.list().filter(({ name }) => !own.some((one) => one.name === name));
    const all = [...own, ...sent];
    return { attributes: mayKnowPeople ? all : all.map((one) => ({ ...one, values: [] })) };
  });

  serve(tryFlag, async ({ params, body, caller }) => {
    if ('personId' in body.for) await refuseWithoutPeople(caller);
    const { after, warnings } = await prepare(params.flagKey, body.definition, body.at);
    const given: Record<string, unknown> =
      'personId' in body.for
        ? orNotFound(await attributes.get(body.for.personId), 'There is no such person.')
        : body.for.attributes;
    return { ...after(given), attributes: given, warnings };
  });

  serve(previewFlag, async ({ params, body, caller }) => {
    await refuseWithoutPeople(caller);
    const { saved, before, after } = await prepare(params.flagKey, body.definition);
    const people = await countRows(database.read.selectFrom('person').where('blocked_at', 'is', null));
    const effect = await effectOn(everyone(), before, after);
    if (!saved.enabled) return { ...effect, people, changed: 0, changes: [] };
    const names = await namesOf(effect.changes.flatMap(({ ids }) => ids));
    const changes = effect.changes.map(({ ids, ...change }) => ({
      ...change,
      who: ids.flatMap((id) => names.find((one) => one.id === id) ?? []),
    }));
    return { ...effect, people, changes };
  });

  async function* everyone() {
    for (let after = ''; ;) {
      const some = await attributesOfPeople(database.longReads, { after, limit: pageSize });
      yield some;
      const last = some.at(-1);
      if (last === undefined || some.length < pageSize) return;
      after = last.id;
    }
  }

  async function namesOf(ids: readonly string[]) {
    if (ids.length === 0) return [];
    const rows = await database.read
      .selectFrom('person')
      .innerJoin('profile', 'profile.person_id', 'person.id')
      .select(['person.id', 'person.email', 'profile.first_name', 'profile.last_name'])
      .where('person.id', 'in', ids)
      .execute();
    return rows.map((row) => ({ id: row.id, email: row.email, name: fullName(row) }));
  }
}
