import { randomBytes } from 'node:crypto';
import { insert, runIn } from './database-rows.ts';

const words =
  'map layer button white empty slow print legend zoom street search result list name field save error page load again'.split(
    ' ',
  );
const statuses = ['new', 'triaged', 'in-progress', 'resolved', 'closed', 'duplicate', 'spam'] as const;
const labels = ['map', 'print', 'search', 'phone'];
const rowsAtOnce = 500;

/**
 * Inserts reports as people write them into the database of an installation: the same in SQLite and PostgreSQL.
 * Every report holds the word `broken`; some have labels, replies and notes.
 */
export function addManyReports(environment: NodeJS.ProcessEnv, count: number): Promise<void> {
  return runIn(environment, [...statements(count)]);
}

function* statements(count: number): Generator<string> {
  for (let first = 1; first <= count; first += rowsAtOnce) {
    const numbers = Array.from({ length: Math.min(rowsAtOnce, count - first + 1) }, (_n, n) => first + n);
    const reports = numbers.map((number) => reportOf(number, count));
    yield insert('report', reports);
    yield insert('report_history', reports.map(historyOf));
    yield insert('report_label', reports.flatMap(labelOf));
    yield insert('report_message', reports.flatMap(messagesOf));
  }
}

const newId = (): string => randomBytes(12).toString('base64url');

const context = JSON.stringify({
  release: '1.4.2',
  browser: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  viewport: '1920 × 1080 @1',
});

/** The older reports are done, as in an inbox that people work in. */
function reportOf(number: number, count: number) {
  const at = Date.now() - (count - number) * 60_000;
  const [name, email, url] = [
    `Person ${number % 5_000}`,
    `person-${number % 5_000}@example.org`,
    `/map?z=${number}`,
  ];
  const description = Array.from(
    { length: 60 },
    (_word, place) => words[(number * 7 + place * place) % words.length],
  );
  const message = `It is broken, number ${number}: ${description.join(' ')}.`;
  const place = number % 10 === 0 ? number / 10 : number;
  const status = statuses[number > count * 0.9 ? number % 3 : 3 + (place % 4)] ?? 'new';
  const [replies, notes] = [number % 5 === 0 ? 2 : 0, number % 7 === 0 ? 1 : 0];
  return {
    id: newId(),
    number,
    event_id: randomBytes(16).toString('hex'),
    content_hash: '',
    name,
    email,
    message,
    source: 'widget',
    url,
    tags: '{}',
    context,
    status,
    search_key: [message, name, email, url].join('\n').toLowerCase(),
    created_at: at,
    changed_at: at,
    version: 1,
    tab: status === 'spam' ? 'spam' : ['resolved', 'closed', 'duplicate'].includes(status) ? 'done' : 'open',
    replies,
    notes,
    last_word: replies > 0 ? 'operator' : 'reporter',
    told_at: at,
  };
}

type Report = ReturnType<typeof reportOf>;

function historyOf({ id, created_at: at }: Report) {
  return {
    id: newId(),
    report_id: id,
    what: 'status',
    at,
    after: 'new',
    actor_kind: 'anybody',
    actor_name: '',
  };
}

function labelOf({ id, number }: Report) {
  const label = number % 3 === 0 ? labels[number % labels.length] : undefined;
  return label === undefined ? [] : [{ report_id: id, label, label_key: label }];
}

function messagesOf({ id, number, created_at: at, replies, notes }: Report) {
  return Array.from({ length: replies + notes }, (_message, index) => {
    const text = `We have looked at ${words[(number + index) % words.length]}, and it is being repaired.`;
    return {
      id: newId(),
      report_id: id,
      event_id: randomBytes(16).toString('hex'),
      kind: index < replies ? 'reply' : 'note',
      side: index === 0 && replies > 0 ? 'reporter' : 'operator',
      text,
      search_key: text.toLowerCase(),
      at: at + index + 1,
      author_kind: 'anybody',
      author_name: '',
    };
  });
}
