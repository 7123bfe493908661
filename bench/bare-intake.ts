import { createHash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { DatabaseSync } from 'node:sqlite';

// The server that the storing of errors is measured against: node:http and node:sqlite alone. Before it answers, it
// has Portico's rows and indexes of an error on disk; errors that arrive during a batch form the next one.

const [port, file] = process.argv.slice(2);
const database = new DatabaseSync(file ?? '');
database.exec(`
  pragma journal_mode = wal; pragma synchronous = full;
  create table kind (id text primary key, project integer, mark text, message text, level text, last_seen integer, events integer, people integer);
  create unique index kind_mark on kind (project, mark);
  create table event (n integer primary key, id text, kind text, at integer, release text, environment text, browser text, person text);
  create index event_id on event (id);
  create index event_kind on event (kind, n);
  create index event_person on event (person, at);
  create table count (kind text, hour integer, events integer, primary key (kind, hour));
  create table facet (kind text, name text, value text, events integer, last_seen integer, primary key (kind, name, value));
  create table person (kind text, person text, primary key (kind, person));
`);
const stored = database.prepare('select 1 from event where id = ?');
const addKind = database.prepare(
  'insert into kind values (?, 1, ?, ?, ?, ?, 1, 1) on conflict (project, mark) do update set events = events + 1, last_seen = excluded.last_seen',
);
const addEvent = database.prepare(
  'insert into event (id, kind, at, release, environment, browser, person) values (?, ?, ?, ?, ?, ?, ?)',
);
const addCount = database.prepare(
  'insert into count values (?, ?, 1) on conflict do update set events = events + 1',
);
const addFacet = database.prepare(
  'insert into facet values (?, ?, ?, 1, ?) on conflict do update set events = events + 1, last_seen = excluded.last_seen',
);
const addPerson = database.prepare('insert into person values (?, ?) on conflict do nothing');

type Sent = {
  event_id: string;
  level: string;
  release: string;
  environment: string;
  user: { id: string };
  request: { headers: Record<string, string> };
  exception: { values: { type: string; value: string }[] };
};
type Waiting = { event: Sent; response: ServerResponse };

let waiting: Waiting[] = [];

function write(): void {
  const batch = waiting;
  waiting = [];
  const now = Date.now();
  database.exec('begin immediate');
  for (const { event } of batch) {
    if (stored.get(event.event_id) !== undefined) continue;
    const [{ type, value } = { type: '', value: '' }] = event.exception.values;
    const kind = createHash('sha256').update(`${type} ${value}`).digest('hex');
    const person = createHash('sha256').update(event.user.id).digest('hex');
    const browser = event.request.headers['User-Agent']?.slice(-30) ?? '';
    addKind.run(kind, kind, value, event.level, now);
    addEvent.run(event.event_id, kind, now, event.release, event.environment, browser, person);
    addCount.run(kind, now - (now % 3_600_000));
    addFacet.run(kind, 'release', event.release, now);
    addFacet.run(kind, 'environment', event.environment, now);
    addFacet.run(kind, 'browser', browser, now);
    addFacet.run(kind, 'system', browser.slice(0, 5), now);
    addPerson.run(kind, person);
  }
  database.exec('commit');
  for (const { response } of batch) response.writeHead(200, { 'content-length': 2 }).end('{}');
}

createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const lines = Buffer.concat(parts).toString().split('\n');
    if (lines[2] === undefined) return void response.writeHead(200, { 'content-length': 0 }).end();
    waiting.push({ event: JSON.parse(lines[2]) as Sent, response });
    if (waiting.length === 1) setImmediate(write);
  });
}).listen(Number(port), '127.0.0.1');
