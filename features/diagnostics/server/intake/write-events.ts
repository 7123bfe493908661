import { errorLimits } from '#features/diagnostics/contract/diagnostics.ts';
import { sql, type RawBuilder, type Generated } from 'kysely';
import type { Change } from '#server/platform/database/database.ts';
import { searchText } from '#server/platform/database/sql.ts';
import { newId } from '#server/platform/keys/ids.ts';
import type { ErrorEvent } from './event.ts';
import { isBack } from './release-order.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** A group of events with the same kind, place and message. */
    error_group: {
      id: string;
      assignee_id: string | null;
      project_id: number;
      /** A hash of what the group's events have in common. */
      fingerprint: string;
      /** The kind of error, such as `TypeError`. */
      kind: string;
      /** The message of the first event. */
      message: string;
      /** Script and function of the first frame in the application's own code. */
      place: string;
      /** `fatal`, `error`, `warning`, `info` or `debug` */
      level: string;
      /**
       * `open`, `resolved`, `ignored`, or `deleted` while its events are being deleted: the group is hidden then,
       * and no event has its fingerprint.
       */
      status: string;
      resolved_at: number | null;
      /** The last release that may still have the error: events of this or an older release do not reopen it. */
      resolved_in: string | null;
      /** When the error last occurred again after it was resolved. */
      returned_at: number | null;
      first_seen_at: number;
      last_seen_at: number;
      first_release: string | null;
      last_release: string | null;
      /** All events that arrived, whether or not they are still stored. */
      events: number;
      /** The people counted in `error_person`. */
      people: number;
      search_key: string;
      version: number;
    };
    error_event: {
      n: Generated<number>;
      event_id: string;
      group_id: string;
      received_at: number;
      release: string | null;
      environment: string | null;
      browser: string | null;
      system: string | null;
      /** A keyed hash of the person's address or id in the event; null if the event has none. */
      person_hash: string | null;
      /** 1: a signed-in person sent the event. When the megabytes are exceeded, other events are removed first. */
      from_known: Generated<number | null>;
    };
    /** The data sent with an event, as compressed JSON; for a bounded number of events of each group. */
    error_sample: { n: number; group_id: string; size: number; payload: Uint8Array };
    /** Events of a group in one hour, which begins at `hour`, milliseconds. */
    error_count: { group_id: string; hour: number; events: number };
    /** Events of a project in one hour, and those that a limit refused. */
    project_count: { project_id: number; hour: number; events: number; refused: number };
    /** When the first event of a release came, for a bounded number of releases. */
    project_release: { project_id: number; release: string; first_seen_at: number };
    /** The people who met an error, up to a bound. */
    error_person: { group_id: string; person_hash: string };
    /** `facet` is `release`, `environment`, `browser` or `system`; a bounded number of values each. */
    error_facet: { group_id: string; facet: string; value: string; events: number; last_seen_at: number };
  }
}

/** An event that waits to be written. */
export type WaitingEvent = Omit<ErrorEvent, 'sent' | 'person'> & {
  personHash: string | null;
  /** The compressed sample; null where the event is not stored whole. */
  sample: Uint8Array | null;
  /** The sender's address; null where a signed-in person sent the event. */
  stranger: string | null;
};

/** The fields of a group that alerts need. */
export type ChangedGroup = Pick<
  WaitingEvent,
  'projectId' | 'kind' | 'message' | 'place' | 'level' | 'release' | 'environment'
> & { id: string };

/** What a batch did to groups; `refused`: events of new groups for which there is no room. */
export type GroupChanges = { created: ChangedGroup[]; returned: ChangedGroup[]; refused: WaitingEvent[] };

export type Batch = {
  events: readonly WaitingEvent[];
  /** Events that limits have refused, by project. */
  refused: ReadonlyMap<number, number>;
  /** Whether the network of a stranger may make one more group now. */
  admitsGroup(address: string): boolean;
};

/** How much is stored of one group, and of one project. */
export const groupLimits = { samples: 30, people: 10_000, releases: 1_000, ofProject: 10_000 } as const;

const hourMs = 3_600_000;

type Group = {
  id: string;
  fingerprint: string;
  projectId: number;
  status: string;
  resolvedAt: number | null;
  resolvedIn: string | null;
  people: number;
  isNew: boolean;
  events: WaitingEvent[];
};

/**
 * Writes events and their counts in one transaction, with one statement for each table, however many events
 * there are. An event that is stored already is not counted again.
 *
 * @param engine what the transaction runs on
 */
export async function writeEvents(
  change: Change,
  engine: 'sqlite' | 'postgres',
  { events, refused, admitsGroup }: Batch,
  groupsOfProject: number = groupLimits.ofProject,
): Promise<GroupChanges> {
  const write = writerOf(change, engine);
  const unknown = await write.withoutKnown(events);
  const found = unknown.length === 0 ? [] : await write.groupsOf(unknown);
  const without = await write.withoutRoom(found, admitsGroup, groupsOfProject);
  const groups = found.filter((group) => !without.has(group));
  const none = new Set([...without].flatMap((group) => group.events));
  const fresh = unknown.filter((event) => !none.has(event));
  const created = groups.filter(({ isNew }) => isNew);
  if (created.length > 0) await write.addGroups(created);
  if (fresh.length > 0) await write.addReleases(fresh);
  const returned = await write.returned(groups);
  if (groups.length > 0) {
    await write.updateGroups(groups, new Set(returned));
    await write.addEvents(groups);
    await write.addCounts(groups);
    await write.addFacets(groups);
    await write.addPeople(groups);
  }
  await write.addProjectCounts(fresh, refused);
  return {
    created: created.map(changedGroup),
    returned: returned.map(changedGroup),
    refused: [...none],
  };
}

function changedGroup({ id, events }: Group): ChangedGroup {
  const { projectId, kind, message, place, level, release, environment } = lastOf(events);
  return { id, projectId, kind, message, place, level, release, environment };
}

function lastOf(events: readonly WaitingEvent[]): WaitingEvent {
  return events.at(-1) as WaitingEvent;
}

type Cell = string | number | null;

function writerOf({ tx, at }: Change, engine: 'sqlite' | 'postgres') {
  // Times are parameters, so that the statements of all batches are the same.
  const now = sql`cast(${at} as bigint)`;
  const hour = sql`cast(${at - (at % hourMs)} as bigint)`;

  /** Rows as a table with one JSON value each. It is one parameter: one statement takes any number of rows. */
  function table(rows: readonly (readonly Cell[])[]): RawBuilder<unknown> {
    const json = JSON.stringify(rows);
    return engine === 'sqlite' ? sql`json_each(${json}) as j` : sql`json_array_elements(${json}::json) as j`;
  }
  const text = (place: number) => sql`(j.value ->> ${sql.lit(place)})`;
  const number = (place: number) => sql`cast(j.value ->> ${sql.lit(place)} as bigint)`;

  return {
    async withoutKnown(events: readonly WaitingEvent[]): Promise<WaitingEvent[]> {
      const byKey = new Map(events.map((event) => [`${event.projectId} ${event.eventId}`, event]));
      if (byKey.size === 0) return [];
      const { rows } = await sql<{ key: string }>`
        select g.project_id || ' ' || e.event_id as key
        from ${table(events.map(({ eventId }) => [eventId]))}
        join error_event e on e.event_id = ${text(0)}
        join error_group g on g.id = e.group_id`.execute(tx);
      for (const { key } of rows) byKey.delete(key);
      return [...byKey.values()];
    },

    async groupsOf(events: readonly WaitingEvent[]): Promise<Group[]> {
      const groups = new Map<string, Group>();
      for (const event of events) {
        const { projectId, fingerprint } = event;
        const known = groups.get(fingerprint);
        if (known !== undefined) known.events.push(event);
        else {
          const status = 'open';
          const none = { resolvedAt: null, resolvedIn: null, people: 0 };
          groups.set(fingerprint, {
            id: newId(),
            fingerprint,
            projectId,
            status,
            ...none,
            isNew: true,
            events: [event],
          });
        }
      }
      type Row = Pick<Group, 'id' | 'fingerprint' | 'status' | 'resolvedAt' | 'resolvedIn' | 'people'>;
      const { rows } = await sql<Row>`
        select g.id, g.fingerprint, g.status, g.resolved_at as ${sql.ref('resolvedAt')},
          g.resolved_in as ${sql.ref('resolvedIn')}, g.people
        from ${table([...groups.values()].map(({ projectId, fingerprint }) => [projectId, fingerprint]))}
        join error_group g on g.project_id = ${number(0)} and g.fingerprint = ${text(1)}`.execute(tx);
      for (const row of rows) Object.assign(groups.get(row.fingerprint) as Group, row, { isNew: false });
      return [...groups.values()];
    },

    /**
     * New groups of strangers for which there is no room: the project has its maximum of groups, or the stranger's
     * network has made too many. New groups of signed-in people are always made.
     */
    async withoutRoom(
      groups: readonly Group[],
      admits: Batch['admitsGroup'],
      most: number,
    ): Promise<Set<Group>> {
      const without = new Set<Group>();
      const room = new Map<number, number>();
      for (const group of groups) {
        const [{ stranger }] = group.events as [WaitingEvent];
        if (!group.isNew || group.events.some((event) => event.stranger === null) || stranger === null)
          continue;
        const left = room.get(group.projectId) ?? most - (await countGroups(group.projectId, most));
        const fits = left > 0 && admits(stranger);
        room.set(group.projectId, fits ? left - 1 : left);
        if (!fits) without.add(group);
      }
      return without;
    },

    async addGroups(groups: readonly Group[]): Promise<void> {
      const rows = groups.map(({ id, fingerprint, projectId, events }) => {
        const [{ kind, message, place, level, release }] = events as [WaitingEvent];
        const search = searchText([kind, message, place].join('\n'));
        return [id, projectId, fingerprint, kind, message, place, level, release, search];
      });
      await sql`
        insert into error_group (id, project_id, fingerprint, kind, message, place, level, status,
          first_seen_at, last_seen_at, first_release, last_release, events, people, search_key, version)
        select ${text(0)}, ${number(1)}, ${text(2)}, ${text(3)}, ${text(4)}, ${text(5)}, ${text(6)}, 'open',
          ${now}, ${now}, ${text(7)}, ${text(7)}, 0, 0, ${text(8)}, 1
        from ${table(rows)}`.execute(tx);
    },

    /** The resolved groups whose new events show that the error is back. */
    async returned(groups: readonly Group[]): Promise<Group[]> {
      const resolved = groups.filter(({ status }) => status === 'resolved');
      if (resolved.length === 0) return [];
      const asked = resolved.flatMap(({ projectId, resolvedIn, events }) =>
        [resolvedIn, ...events.map(({ release }) => release)].map((release) => [projectId, release]),
      );
      const { rows } = await sql<{ project_id: number; release: string; first_seen_at: number }>`
        select r.project_id, r.release, r.first_seen_at from ${table(asked)}
        join project_release r on r.project_id = ${number(0)} and r.release = ${text(1)}`.execute(tx);
      const seen = new Map(rows.map((row) => [`${row.project_id} ${row.release}`, row.first_seen_at]));
      return resolved.filter(({ projectId, resolvedAt, resolvedIn, events }) =>
        events.some(({ release }) =>
          isBack(
            { at: resolvedAt ?? 0, in: resolvedIn },
            release,
            (each) => seen.get(`${projectId} ${each}`) ?? null,
          ),
        ),
      );
    },

    async addReleases(events: readonly WaitingEvent[]): Promise<void> {
      const rows = distinct(
        events.flatMap(({ projectId, release }) => (release === null ? [] : [[projectId, release]])),
      );
      if (rows.length === 0) return;
      await sql`
        insert into project_release (project_id, release, first_seen_at)
        select ${number(0)}, ${text(1)}, ${now} from ${table(rows)}
        where not exists (select 1 from project_release r where r.project_id = ${number(0)} and r.release = ${text(1)})
          and (select count(*) from project_release r where r.project_id = ${number(0)}) < ${sql.lit(groupLimits.releases)}
        on conflict do nothing`.execute(tx);
    },

    /** Only a reopened group gets a new version, so that other new events do not refuse an operator's change. */
    async updateGroups(groups: readonly Group[], returned: ReadonlySet<Group>): Promise<void> {
      const rows = groups.map((group) => {
        const { level, release } = lastOf(group.events);
        return [group.id, group.events.length, release, level, returned.has(group) ? 1 : 0];
      });
      const ifBack = (then: RawBuilder<unknown>, otherwise: RawBuilder<unknown>) =>
        sql`case when x.back = 1 then ${then} else ${otherwise} end`;
      await sql`
        update error_group set
          events = error_group.events + x.events, last_seen_at = ${now}, level = x.level,
          last_release = coalesce(x.release, last_release),
          status = ${ifBack(sql`'open'`, sql`status`)},
          returned_at = ${ifBack(now, sql`returned_at`)},
          resolved_at = ${ifBack(sql`null`, sql`resolved_at`)},
          resolved_in = ${ifBack(sql`null`, sql`resolved_in`)},
          version = version + x.back
        from (select ${text(0)} as id, ${number(1)} as events, ${text(2)} as release, ${text(3)} as level,
          ${number(4)} as back from ${table(rows)}) as x
        where error_group.id = x.id`.execute(tx);
    },

    async addEvents(groups: readonly Group[]): Promise<void> {
      const rows = groups.flatMap(({ id, events }) =>
        events.map(({ eventId, release, environment, browser, system, personHash, stranger }) => [
          eventId,
          id,
          release,
          environment,
          browser,
          system,
          personHash,
          stranger === null ? 1 : null,
        ]),
      );
      await sql`
        insert into error_event (event_id, group_id, received_at, release, environment, browser, system, person_hash, from_known)
        select ${text(0)}, ${text(1)}, ${now}, ${text(2)}, ${text(3)}, ${text(4)}, ${text(5)}, ${text(6)}, ${number(7)}
        from ${table(rows)}`.execute(tx);
      await addSamples(groups);
    },

    async addCounts(groups: readonly Group[]): Promise<void> {
      await sql`
        insert into error_count (group_id, hour, events)
        select ${text(0)}, ${hour}, ${number(1)}
        from ${table(groups.map(({ id, events }) => [id, events.length]))} where true
        on conflict (group_id, hour) do update set events = error_count.events + excluded.events`.execute(tx);
    },

    async addProjectCounts(
      events: readonly WaitingEvent[],
      refused: ReadonlyMap<number, number>,
    ): Promise<void> {
      const counts = new Map(
        [...refused].map(([projectId, count]) => [projectId, { events: 0, refused: count }]),
      );
      for (const { projectId } of events) {
        const count = counts.get(projectId) ?? { events: 0, refused: 0 };
        counts.set(projectId, { ...count, events: count.events + 1 });
      }
      if (counts.size === 0) return;
      await sql`
        insert into project_count (project_id, hour, events, refused)
        select ${number(0)}, ${hour}, ${number(1)}, ${number(2)}
        from ${table([...counts].map(([projectId, count]) => [projectId, count.events, count.refused]))} where true
        on conflict (project_id, hour) do update set
          events = project_count.events + excluded.events,
          refused = project_count.refused + excluded.refused`.execute(tx);
    },

    /** Only the first values of each facet get rows; later values are stored only in their events. */
    async addFacets(groups: readonly Group[]): Promise<void> {
      const rows = groups.flatMap(({ id, events }) => facetRows(id, events));
      if (rows.length === 0) return;
      const updated = await sql<{ group_id: string; facet: string; value: string }>`
        update error_facet set events = error_facet.events + x.events, last_seen_at = ${now}
        from (select ${text(0)} as group_id, ${text(1)} as facet, ${text(2)} as value, ${number(3)} as events
          from ${table(rows)}) as x
        where error_facet.group_id = x.group_id and error_facet.facet = x.facet and error_facet.value = x.value
        returning error_facet.group_id, error_facet.facet, error_facet.value`.execute(tx);
      if (updated.rows.length === rows.length) return;
      const known = new Set(updated.rows.map((row) => JSON.stringify([row.group_id, row.facet, row.value])));
      const before = new Map<string, number>();
      const added = rows
        .filter(([id, facet, value]) => !known.has(JSON.stringify([id, facet, value])))
        .map((row) => {
          const place = before.get(`${row[0]} ${row[1]}`) ?? 0;
          before.set(`${row[0]} ${row[1]}`, place + 1);
          return [...row, place];
        });
      await sql`
        insert into error_facet (group_id, facet, value, events, last_seen_at)
        select ${text(0)}, ${text(1)}, ${text(2)}, ${number(3)}, ${now} from ${table(added)}
        where (select count(*) from error_facet f where f.group_id = ${text(0)} and f.facet = ${text(1)})
          < ${sql.lit(errorLimits.facetValues)} - ${number(4)}
        on conflict do nothing`.execute(tx);
    },

    async addPeople(groups: readonly Group[]): Promise<void> {
      const rows = groups.flatMap(({ id, people, events }) => {
        if (people >= groupLimits.people) return [];
        const hashes = new Set(events.map(({ personHash }) => personHash).filter((hash) => hash !== null));
        return [...hashes].slice(0, groupLimits.people - people).map((hash): Cell[] => [id, hash]);
      });
      if (rows.length === 0) return;
      const added = await sql<{ group_id: string }>`
        insert into error_person (group_id, person_hash)
        select ${text(0)}, ${text(1)} from ${table(rows)} where true
        on conflict do nothing returning group_id`.execute(tx);
      if (added.rows.length === 0) return;
      const counts = Map.groupBy(added.rows, ({ group_id }) => group_id);
      await sql`
        update error_group set people = error_group.people + x.people
        from (select ${text(0)} as id, ${number(1)} as people
          from ${table([...counts].map(([id, people]) => [id, people.length]))}) as x
        where error_group.id = x.id`.execute(tx);
    },
  };

  async function countGroups(projectId: number, most: number): Promise<number> {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from (select id from error_group where project_id = ${projectId} limit ${most}) as counted`.execute(
      tx,
    );
    return rows[0]?.n ?? 0;
  }

  async function addSamples(groups: readonly Group[]): Promise<void> {
    const payloads = new Map(
      groups.flatMap(({ id, events }) =>
        events.flatMap(({ eventId, sample }) =>
          sample === null ? [] : [[`${id} ${eventId}`, sample] as const],
        ),
      ),
    );
    if (payloads.size === 0) return;
    const { rows } = await sql<{ n: number; event_id: string; group_id: string }>`
      select e.n, e.event_id, e.group_id from ${table([...payloads.keys()].map((key) => key.split(' ')))}
      join error_event e on e.event_id = ${text(1)} and e.group_id = ${text(0)}`.execute(tx);
    const samples = rows.map(({ n, event_id, group_id }) => {
      const payload = payloads.get(`${group_id} ${event_id}`) as Uint8Array;
      return { n, group_id, payload, size: payload.length };
    });
    await tx.insertInto('error_sample').values(samples).execute();
    await dropSamples(distinct(samples.map(({ group_id }) => [group_id])));
  }

  /** Keeps the first sample of each group, and the latest samples. */
  async function dropSamples(groupIds: readonly Cell[][]): Promise<void> {
    await sql`
      delete from error_sample where n in (
        select s.n from (
          select n, row_number() over (partition by group_id order by n desc) as latest,
            row_number() over (partition by group_id order by n) as earliest
          from error_sample where group_id in (select ${text(0)} from ${table(groupIds)})
        ) as s
        where s.latest >= ${sql.lit(groupLimits.samples)} and s.earliest > 1)`.execute(tx);
  }
}

const facets = ['release', 'environment', 'browser', 'system'] as const;

/** Rows of group, facet, value, and number of events. */
function facetRows(groupId: string, events: readonly WaitingEvent[]): Cell[][] {
  return facets.flatMap((facet) => {
    const counts = new Map<string, number>();
    for (const event of events) {
      const value = event[facet];
      if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    return [...counts]
      .slice(0, errorLimits.facetValues)
      .map(([value, count]): Cell[] => [groupId, facet, value, count]);
  });
}

function distinct(rows: readonly Cell[][]): Cell[][] {
  return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
}
