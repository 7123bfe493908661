import { describe, expect, it } from 'vitest';
import {
  type ChangeOfPeople,
  changePeople,
  getPerson,
  listPeople,
} from '#features/people/contract/people.ts';
import { listSessionsOfPerson } from '#features/session/contract/sessions.ts';
import type { Change, Database } from '#server/platform/database/database.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import { startApp } from '#server/testing/app.ts';
import { engines } from '#server/testing/fresh-database.ts';
import { addPerson } from '#server/testing/people.ts';
import { signIn } from '#server/testing/signed-in.ts';
import { changeMany, type ChangePeopleParts } from './change-people.ts';

describe('many people at once', () => {
  it('CON-4: each is changed on their own; who is so already stays, and the last administrator and the operator themselves are refused by name', async () => {
    const app = await startApp({ engine: 'sqlite' });
    const olga = await signIn(app, { roles: ['operator'] });
    const mia = await signIn(app, { roles: ['member'] });
    const sam = await addPerson(app, { roles: ['member', 'support'] });
    const all = [olga.id, mia.id, sam];
    const change = (wanted: ChangeOfPeople, people: string[] = all) =>
      olga.call(changePeople, { body: { people, wanted } });
    const person = async (personId: string) => (await olga.call(getPerson, { params: { personId } })).body;

    const given = await change({ change: 'give-role', role: 'support' }, [mia.id, mia.id, sam, 'nobody']);
    expect(given.body).toEqual({ changed: 1, refused: [{ personId: 'nobody', code: 'NOT_FOUND' }] });
    expect((await person(mia.id)).roles).toEqual(['support', 'member']);
    expect((await change({ change: 'take-role', role: 'operator' })).body).toEqual({
      changed: 0,
      refused: [{ personId: olga.id, code: 'LAST_ADMINISTRATOR' }],
    });
    expect((await person(olga.id)).roles).toContain('operator');
    expect((await change({ change: 'give-role', role: 'emperor' }, [sam])).body.refused).toEqual([
      { personId: sam, code: 'INVALID_BODY' },
    ]);

    expect((await change({ change: 'sign-out' })).body).toEqual({ changed: 1, refused: [] });
    const sessions = await olga.call(listSessionsOfPerson, { params: { personId: mia.id } });
    expect(sessions.body.sessions).toEqual([]);
    expect((await change({ change: 'block' })).body).toEqual({
      changed: 2,
      refused: [{ personId: olga.id, code: 'CONFLICT' }],
    });
    expect([(await person(mia.id)).state, (await person(sam)).state]).toEqual(['blocked', 'blocked']);
    expect((await change({ change: 'unblock' }, [mia.id, sam])).body.changed).toBe(2);
    expect((await change({ change: 'unblock' }, [mia.id])).body.changed).toBe(0);
    const none = await olga.call(changePeople, { body: { people: [], wanted: { change: 'block' } } });
    expect(none.problem?.code).toBe('INVALID_BODY');
    const support = await signIn(app, { roles: ['support'] });
    const refused = await support.call(changePeople, {
      body: { people: [sam], wanted: { change: 'block' } },
    });
    expect(refused.problem?.code).toBe('RIGHT_MISSING');
  });
});

it('CON-4: a caller who loses the right changes nobody after that', async () => {
  const signedOut: string[] = [];
  const change = Object.freeze({}) as Change;
  const parts: ChangePeopleParts = {
    database: { change: (work: (change: Change) => unknown) => work(change) } as unknown as Database,
    administration: {
      setRoles: () => Promise.reject(new Error('not called')),
      setBlocked: () => Promise.reject(new Error('not called')),
    },
    signOut: (_change, _caller, personId) => Promise.resolve(signedOut.push(personId)),
    rightsOf: () => new Set(signedOut.length < 2 ? ['PEOPLE_WRITE'] : []),
  };
  const caller: Caller = { id: 'olga', kind: 'person', name: 'olga@example.org' } as Caller;
  const body = { people: ['ada', 'bob', 'cyd', 'dan'], wanted: { change: 'sign-out' } } as const;
  expect(await changeMany(parts, caller, { ...body, people: [...body.people] })).toEqual({
    changed: 2,
    refused: [
      { personId: 'cyd', code: 'RIGHT_MISSING' },
      { personId: 'dan', code: 'RIGHT_MISSING' },
    ],
  });
  expect(signedOut).toEqual(['ada', 'bob']);
});

describe.each(engines)('the order of people on %s', (engine) => {
  it('CON-1 CON-4: by name, by joining and by when they were last seen, up and down, page by page, each person once', async () => {
    const app = await startApp({ engine });
    const olga = await signIn(app, { roles: ['operator'] });
    const times: Record<string, [joined: number, seen: number | null]> = {
      ada: [30, 5],
      bob: [10, null],
      cyd: [20, 9],
      dan: [20, null],
    };
    for (const [name, [joined, seen]] of Object.entries(times)) {
      const id = await addPerson(app, { email: `${name}@example.org`, firstName: name, lastName: 'Order' });
      await app.database.transaction((tx) =>
        tx
          .updateTable('person')
          .set({ created_at: joined, last_seen_at: seen })
          .where('id', '=', id)
          .execute(),
      );
    }
    async function listed(order: 'name' | 'joined' | 'seen', direction: 'ascending' | 'descending') {
      const names: string[] = [];
      let cursor: string | null = null;
      do {
        const query: { search: string; limit: number; cursor?: string } = { search: 'order', limit: 1 };
        if (cursor !== null) query.cursor = cursor;
        const answer = await olga.call(listPeople, { query: { ...query, order, direction } });
        const { people, total, next } = answer.body;
        expect(total).toBe(4);
        names.push(...people.map(({ firstName }) => firstName));
        cursor = next;
      } while (cursor !== null);
      return names;
    }
    expect(await listed('name', 'ascending')).toEqual(['ada', 'bob', 'cyd', 'dan']);
    expect(await listed('name', 'descending')).toEqual(['dan', 'cyd', 'bob', 'ada']);
    const joined = await listed('joined', 'ascending');
    expect([joined[0], joined[3], joined.slice(1, 3).toSorted()]).toEqual(['bob', 'ada', ['cyd', 'dan']]);
    expect(await listed('joined', 'descending')).toEqual(joined.toReversed());
    expect((await listed('seen', 'descending')).slice(0, 2)).toEqual(['cyd', 'ada']);
    expect((await listed('seen', 'ascending')).slice(2)).toEqual(['ada', 'cyd']);
    const byName = await olga.call(listPeople, { query: { limit: 1 } });
    const foreign = { order: 'seen' as const, cursor: byName.body.next ?? '' };
    expect((await olga.call(listPeople, { query: foreign })).problem?.code).toBe('INVALID_REQUEST');
  });
});
