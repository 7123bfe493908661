import { randomBytes } from 'node:crypto';
import { insert, runIn } from './database-rows.ts';

const rowsAtOnce = 500;
const firstNames = 'Ada Bert Chloé Dora Emil Fay Gus Hana Ivo Jule'.split(' ');
const lastNames = 'Archer Baker Cooper Dyer Fisher Glover Hunter Mason Potter Smith Turner Weaver'.split(' ');
const actions = ['person.set-roles', 'flag.update', 'report.status', 'person.block'];

const newId = (): string => randomBytes(12).toString('base64url');

/**
 * Inserts people into the database of an installation: the same in SQLite and PostgreSQL. Each has a profile, a
 * role, a session and two entries of the audit; some have two roles. Returns the id of one person.
 */
export async function addPeople(environment: NodeJS.ProcessEnv, count: number): Promise<string> {
  const ids = Array.from({ length: count }, newId);
  await runIn(environment, [...statements(ids)]);
  return ids[Math.floor(count / 2)] ?? '';
}

function* statements(ids: readonly string[]): Generator<string> {
  for (let first = 0; first < ids.length; first += rowsAtOnce) {
    const people = ids.slice(first, first + rowsAtOnce).map((id, index) => personOf(id, first + index));
    yield insert('person', people);
    yield insert('profile', people.map(profileOf));
    yield insert('person_role', people.flatMap(rolesOf));
    yield insert('session', people.map(sessionOf));
    yield insert('audit', people.flatMap(entriesOf));
  }
}

function personOf(id: string, index: number) {
  const at = Date.now() - index * 60_000;
  const email = `person-${index}@example.org`;
  return {
    id,
    issuer: 'https://bench.example.org',
    subject: id,
    email,
    email_skeleton: email,
    created_at: at - 86_400_000,
    last_seen_at: index % 7 === 0 ? null : at,
    blocked_at: index % 50 === 0 ? at : null,
    version: 1,
  };
}

type Person = ReturnType<typeof personOf>;

const placeOf = ({ email }: Person): number => Number(/\d+/.exec(email)?.[0]);

function profileOf(person: Person) {
  const place = placeOf(person);
  const [first, last] = [firstNames[place % 10] ?? '', `${lastNames[place % 12] ?? ''} ${place}`];
  const key = `${first} ${last}`.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const nothing = { phone: '', organisation: '', job_title: '' };
  return { person_id: person.id, first_name: first, last_name: last, name_key: key, ...nothing, version: 1 };
}

function rolesOf(person: Person) {
  const place = placeOf(person);
  const member = { person_id: person.id, role: 'member' };
  return place % 20 === 0 ? [member, { person_id: person.id, role: 'support' }] : [member];
}

function sessionOf(person: Person) {
  const now = Date.now();
  return {
    id: newId(),
    secret_hash: newId(),
    person_id: person.id,
    id_token: '',
    created_at: now - 3_600_000,
    seen_at: now - 60_000,
    expires_at: now + 12 * 3_600_000,
    browser: 'Firefox',
    system: 'Linux',
  };
}

/** Two audit entries: one by the person, and one about them. */
function entriesOf(person: Person) {
  const place = placeOf(person);
  return [0, 1].map((about) => ({
    id: newId(),
    at: person.created_at + about,
    actor_kind: 'person',
    actor_id: about === 1 ? 'operator' : person.id,
    actor_name: about === 1 ? 'operator@example.org' : person.email,
    action: actions[(place + about) % actions.length] ?? '',
    subject: about === 1 ? person.id : `F_${place % 2_000}`,
    after: '{"roles":["member"]}',
    search_key: `${person.email}\nmember`,
  }));
}
