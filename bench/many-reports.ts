import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const words =
  'map layer button white empty slow print legend zoom street search result list name field save error page load again'.split(
    ' ',
  );
const statuses = ['new', 'triaged', 'in-progress', 'resolved', 'closed', 'duplicate', 'spam'] as const;

/**
 * So many reports as people write them, put into the database in a data folder; every one of them holds the
 * word `broken`.
 */
export function manyReports(folder: string, count: number): void {
  const database = new DatabaseSync(join(folder, 'portico.sqlite'), { timeout: 5_000 });
  try {
    const report = database.prepare(
      `insert into report (id, number, event_id, content_hash, reporter_id, name, email, message, source, url,
        associated_event_id, tags, context, status, search_key, created_at, changed_at, version)
      values (?, ?, ?, '', null, ?, ?, ?, 'widget', ?, null, '{}', ?, ?, ?, ?, ?, 1)`,
    );
    const history = database.prepare(
      `insert into report_history (id, report_id, at, before, after, actor_kind, actor_id, actor_name)
      values (?, ?, ?, null, 'new', 'anybody', null, '')`,
    );
    const context = JSON.stringify({
      release: '1.4.2',
      browser: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      viewport: '1920 × 1080 @1',
    });
    const begun = Date.now() - count * 60_000;
    database.exec('begin immediate');
    for (let number = 1; number <= count; number += 1) {
      const id = randomBytes(12).toString('base64url');
      const at = begun + number * 60_000;
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
      const key = [message, name, email, url].join('\n').toLowerCase();
      const status = statuses[number % statuses.length] ?? 'new';
      report.run(
        id,
        number,
        randomBytes(16).toString('hex'),
        name,
        email,
        message,
        url,
        context,
        status,
        key,
        at,
        at,
      );
      history.run(randomBytes(12).toString('base64url'), id, at);
    }
    database.exec('commit');
  } finally {
    database.close();
  }
}
