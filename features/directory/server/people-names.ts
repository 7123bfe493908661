import type { PeopleNames } from '#features/people/contract/names.ts';
import type { Reader } from '#server/platform/database/database.ts';

/** The name under which a person without an address is recorded as an author. */
const nameless = /^person (\S+)$/;

/** The full name of a person, trimmed; empty where they have none. */
export function fullName(person: { first_name: string; last_name: string }): string {
  return `${person.first_name} ${person.last_name}`.trim();
}

/**
 * The current names of the people in columns such as `changed_by`, by the value of the column.
 *
 * @param written email addresses, `person <id>` (also of an erased person), and what names no person (tokens, the command line,
 *   pseudonyms), which is left out
 */
export async function namesOf(read: Reader, written: Iterable<string | null>): Promise<PeopleNames> {
  const labels = [...new Set(written)].filter((label) => label !== null && label !== '') as string[];
  const ids = labels.flatMap((label) => nameless.exec(label)?.[1] ?? []);
  const addresses = labels.filter((label) => label.includes('@'));
  if (ids.length + addresses.length === 0) return {};
  const rows = await read
    .selectFrom('person')
    .innerJoin('profile', 'profile.person_id', 'person.id')
    .select(['person.id', 'person.email', 'profile.first_name', 'profile.last_name'])
    .where((row) =>
      row.or([
        ...(addresses.length === 0 ? [] : [row('person.email', 'in', addresses)]),
        ...(ids.length === 0 ? [] : [row('person.id', 'in', ids)]),
      ]),
    )
    .execute();
  const people = rows.flatMap((row) => {
    const shared = rows.filter(({ email }) => email !== '' && email === row.email).length > 1;
    const name = fullName(row);
    const alike = name !== '' && rows.filter((other) => fullName(other) === name).length > 1;
    const called = alike && row.email !== '' ? `${name} (${row.email})` : name || row.email;
    return [{ label: `person ${row.id}`, called }, ...(shared ? [] : [{ label: row.email, called }])].filter(
      ({ label }) => labels.includes(label) && called !== '' && called !== label,
    );
  });
  const erased =
    ids.length === 0
      ? []
      : await read.selectFrom('erased_person').selectAll().where('person_id', 'in', ids).execute();
  const gone = erased.map(({ person_id: id, pseudonym }) => ({ label: `person ${id}`, called: pseudonym }));
  return Object.fromEntries([...people, ...gone].map(({ label, called }) => [label, called]));
}
