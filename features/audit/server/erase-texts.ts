import type { Tables } from '#server/platform/database/schema.ts';

/** The person to remove from the audit, and the pseudonym that replaces them. */
export type Erasure = {
  personId: string;
  /** The person's email addresses, which other rows may hold ("created by"). */
  emails: readonly string[];
  /** Such as `erased-7f3a`; identifies no one. */
  pseudonym: string;
};

type Row = Tables['audit'];

// The program chooses the values of these fields; they never hold the person's words.
const choices = new Set(['roles', 'rights', 'state', 'right', 'role', 'id', 'personId', 'createdBy']);

/**
 * A row without the person: rows about them lose every text, others lose their addresses, and rows of their
 * own actions lose their name and client. Null where the row holds nothing of them.
 */
export function withoutPerson(
  row: Row,
  { personId, emails, pseudonym }: Erasure,
): Pick<Row, 'actor_name' | 'before' | 'after' | 'client' | 'client_system'> | null {
  const about = row.subject === personId;
  const by = row.actor_id === personId || emails.includes(row.actor_name);
  const rewrite = (json: string | null): string | null =>
    json === null ? null : JSON.stringify(cleaned(JSON.parse(json), '', about));

  function cleaned(value: unknown, name: string, whole: boolean): unknown {
    if (typeof value === 'string') {
      if (whole && !choices.has(name)) return value === '' ? value : pseudonym;
      return replaceWords(value, emails, pseudonym);
    }
    if (Array.isArray(value)) return value.map((item) => cleaned(item, name, whole));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, field]: [string, unknown]) => [key, cleaned(field, key, whole)]),
    );
  }

  const texts = {
    actor_name: by ? pseudonym : row.actor_name,
    before: rewrite(row.before),
    after: rewrite(row.after),
    client: by ? null : row.client,
    client_system: by ? null : row.client_system,
  };
  const columns = Object.keys(texts) as (keyof typeof texts)[];
  return columns.every((column) => texts[column] === row[column]) ? null : texts;
}

/**
 * Replaces each of the words in a text, ignoring case. Only whole words are replaced: removing
 * `anna@example.org` leaves `joanna@example.org` and `anna@example.org.uk`.
 */
export function replaceWords(text: string, words: readonly string[], instead: string): string {
  const wanted = words
    .filter((word) => word !== '')
    .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`));
  if (wanted.length === 0) return text;
  const pattern = new RegExp(
    String.raw`(?<![\p{L}\p{N}_.%+-])(?:${wanted.join('|')})(?![\p{L}\p{N}_-]|\.[\p{L}\p{N}])`,
    'giu',
  );
  return text.replaceAll(pattern, () => instead);
}
