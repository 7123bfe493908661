import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { onServer } from '#server/testing/postgres-server.ts';

/** How many events and errors there are, and of how many events of each error the payload is stored. */
export const manyErrors = { events: 1_000_000, groups: 5_000, samplesEach: 20, days: 90 } as const;

const hourMs = 3_600_000;

/**
 * Inserts the events of Portico's own project into the database of an installation that does not run: the same in
 * SQLite and PostgreSQL. A few errors have most of the events, as in real use.
 */
export async function addManyErrors(environment: NodeJS.ProcessEnv): Promise<void> {
  const { DATABASE_URL: url, DATA_DIR: folder = '' } = environment;
  if (url !== undefined) {
    for (const statement of statements('postgres')) await onServer(url, statement);
    await onServer(url, 'analyze');
    return;
  }
  const database = new DatabaseSync(join(folder, 'portico.sqlite'));
  try {
    database.exec('begin immediate');
    for (const statement of statements('sqlite')) database.exec(statement);
    database.exec('commit');
    database.exec('pragma wal_checkpoint(truncate)');
  } finally {
    database.close();
  }
}

function statements(engine: 'sqlite' | 'postgres'): string[] {
  const { events, groups, samplesEach, days } = manyErrors;
  const bytes = zstdCompressSync(JSON.stringify(sample())).toString('hex');
  const payload = engine === 'sqlite' ? `X'${bytes}'` : `decode('${bytes}', 'hex')`;
  const now = Date.now();
  const begun = now - days * 24 * hourMs;
  const series = `with recursive s(i) as (select 0 union all select i + 1 from s where i < ${events - 1})`;
  const skewed = `((i * 7919) % ${groups}) * ((i / 7 * 104729) % ${groups}) / ${groups}`;
  const hour = `received_at - received_at % ${hourMs}`;
  const facets = ['release', 'environment', 'browser', 'system'].map(
    (facet) => `
      insert into error_facet (group_id, facet, value, events, last_seen_at)
      select group_id, '${facet}', ${facet}, count(*), max(received_at) from error_event
      where ${facet} is not null group by group_id, ${facet}`,
  );
  const bigint = engine === 'postgres' ? 'cast(i as bigint)' : 'i';
  return [
    `create table every_event as ${series} select ${bigint} as i from s`,
    `insert into error_group (id, project_id, fingerprint, kind, message, place, level, status, first_seen_at,
        last_seen_at, first_release, last_release, events, people, search_key, version)
      select id, 1, id, kind, message, place, 'error', status, 0, 0, '1.0', '1.39', 0, 0,
        lower(kind || ' ' || message || ' ' || place), 1
      from (
        select 'group-' || (10000 + i) as id,
          case i % 4 when 0 then 'TypeError' when 1 then 'RangeError' when 2 then 'NetworkError' else 'Error' end as kind,
          'Cannot read properties of undefined while the list of orders is loaded, part ' || i
            || ' of the answer that the server has sent for the customer who is signed in' as message,
          'assets/main.js · load' || (i % 300) as place,
          case i % 10 when 0 then 'resolved' when 1 then 'ignored' else 'open' end as status
        from every_event where i < ${groups}) as made`,
    `insert into error_event (event_id, group_id, received_at, release, environment, browser, system, person_hash)
      select '00000000000000000000000' || (100000000 + i), 'group-' || (10000 + ${skewed}),
        ${begun} + i * ${Math.floor((now - begun) / events)}, '1.' || (i * 40 / ${events}),
        case i % 10 when 0 then 'staging' else 'production' end,
        'Firefox ' || (140 + i % 9), case i % 3 when 0 then 'Linux' when 1 then 'Windows' else 'macOS' end,
        case i % 3 when 0 then 'person-' || (i * 31 % 20000) else null end
      from every_event order by i`,
    'drop table every_event',
    `insert into error_sample (n, group_id, size, payload)
      select n, group_id, ${bytes.length / 2}, ${payload} from (
        select n, group_id, row_number() over (partition by group_id order by n desc) as latest from error_event
      ) as e where latest <= ${samplesEach}`,
    `insert into error_count (group_id, hour, events)
      select group_id, ${hour}, count(*) from error_event group by group_id, ${hour}`,
    `insert into project_count (project_id, hour, events, refused)
      select 1, ${hour}, count(*), 3 from error_event group by ${hour}`,
    `insert into project_release (project_id, release, first_seen_at)
      select 1, release, min(received_at) from error_event group by release`,
    `insert into error_person (group_id, person_hash)
      select distinct group_id, person_hash from error_event where person_hash is not null`,
    ...facets,
    `update error_group set events = x.events, first_seen_at = x.first, last_seen_at = x.last, people = x.people
      from (select group_id, count(*) as events, min(received_at) as first, max(received_at) as last,
        count(distinct person_hash) as people from error_event group by group_id) as x
      where x.group_id = error_group.id`,
    'delete from error_group where events = 0',
  ];
}

/** An event of the usual size, as `@sentry/browser` sends it. */
function sample(): object {
  const frames = Array.from({ length: 30 }, (_, n) => ({
    filename: `https://shop.example.org/assets/part-${n % 5}.js`,
    function: `call${n}`,
    lineno: 1,
    colno: 1_000 + n * 37,
    in_app: n % 3 > 0,
  }));
  const breadcrumbs = Array.from({ length: 60 }, (_, n) => ({
    timestamp: 1_764_000_000 + n,
    category: n % 2 === 0 ? 'ui.click' : 'fetch',
    message: `main > section:nth-child(${n}) > button`,
    data: { url: `/v1/orders/${n * 7_919}`, status_code: 200 },
  }));
  return {
    platform: 'javascript',
    exception: { values: [{ type: 'TypeError', value: 'x', stacktrace: { frames } }] },
    breadcrumbs,
    tags: [['request_id', 'r-1']],
    contexts: { browser: { name: 'Firefox', version: '147.0' }, os: { name: 'Linux' } },
    request: { url: 'https://shop.example.org/orders', headers: { 'User-Agent': 'Mozilla/5.0' } },
  };
}
