import { describe, expect, it, vi } from 'vitest';
import type { ChangeFeed } from '#server/platform/database/change-feed.ts';
import { afterThisTest, openFresh } from '#server/testing/fresh-database.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { addPerson, giveRight } from '#server/testing/people.ts';
import type { TokenGrant } from '#features/api-tokens/server/api-tokens.ts';
import { createEffectiveRights } from './effective-rights.ts';
import { setRolesOf } from './permissions.store.ts';
import { deleteRole, insertRight, insertRole } from './rules.store.ts';

const start = 1_800_000_000_000;

async function permissionsOfTwo() {
  const clock = movableClock(start);
  const database = await openFresh('sqlite', clock);
  const reads = vi.spyOn(database.read, 'selectFrom');
  afterThisTest(() => void vi.restoreAllMocks());
  const listeners: { topic: string; listener: (key: string) => void }[] = [];
  const feed: ChangeFeed = {
    on: (topic, listener) =>
      void listeners.push({
        topic,
        listener: (key) => listener({ topic, key, revision: 1, at: clock.now() }),
      }),
    publishedAt: () => 0,
    close: () => Promise.resolve(),
  };
  const grants = new Map<string, TokenGrant>();
  const permissions = createEffectiveRights({
    database,
    feed,
    clock,
    tokenGrant: (id) => grants.get(id) ?? Promise.resolve(null),
  });
  const [ada, ben] = [
    await addPerson({ database }, { roles: ['member'] }),
    await addPerson({ database }, { roles: ['member'] }),
  ];
  const caller = (kind: 'person' | 'token', id: string) => ({ kind, id, name: id, sessionId: null }) as const;
  return {
    database,
    clock,
    reads,
    permissions,
    ada,
    ben,
    grants,
    publish(topic: string, key = '') {
      for (const each of listeners) if (each.topic === topic) each.listener(key);
    },
    rights: async (personId: string) =>
      [...(await permissions.rightsOf(caller('person', personId)))].toSorted(),
    ofToken: async (id: string) => [...(await permissions.rightsOf(caller('token', id)))].toSorted(),
    async asked() {
      const found: string[] = [];
      for (const [name, id] of Object.entries({
        ada,
        ben,
      })) {
        reads.mockClear();
        await permissions.ofPerson(id);
        if (reads.mock.calls.length > 0) found.push(name);
      }
      return found;
    },
  };
}

describe('rights in memory', () => {
  it('RIGHT-3: are read again for the people whom the change feed names, or for all', async () => {
    const { asked, publish, ada, ben } = await permissionsOfTwo();
    expect(await asked()).toEqual(['ada', 'ben']);
    expect(await asked()).toEqual([]);
    for (const [topic, key, again] of [
      ['rights', ada, ['ada']],
      ['person', ben, ['ben']],
      ['rights', 'another', []],
      ['rights', '', ['ada', 'ben']],
      ['right-rules', '', ['ada', 'ben']],
      ['flags', '', []],
    ] as const) {
      publish(topic, key);
      expect([topic, key, await asked()]).toEqual([topic, key, again]);
    }
  });

  it('RIGHT-3: changed rules hold for all people at once, also where none was named', async () => {
    const { database, publish, rights, ada } = await permissionsOfTwo();
    await database.change(async (change) => {
      await insertRight(change, 'ORDERS_SEE', { label: 'A label', description: '', area: 'An area' });
      await insertRole(change, 'clerks', { name: 'Clerks', description: '', rights: ['ORDERS_SEE'] });
      await setRolesOf(change, ada, ['clerks']);
    });
    expect(await rights(ada)).toEqual(['ORDERS_SEE']);
    await database.change((change) => deleteRole(change, 'clerks'));
    expect(await rights(ada)).toEqual(['ORDERS_SEE']);
    publish('right-rules');
    expect(await rights(ada)).toEqual([]);
  });

  it('RIGHT-3: a grant holds up to its end and no longer, without the database, also where the clock is set back', async () => {
    const { database, clock, rights, permissions, ada, asked, reads } = await permissionsOfTwo();
    await database.change((change) => giveRight(change, ada, 'PEOPLE_READ', 'grant', start + 1e3));
    await asked();
    reads.mockClear();
    const both = ['MAP_VIEW', 'PEOPLE_READ'];
    for (const [move, held] of [
      [0, both],
      [999, both],
      [1, ['MAP_VIEW']],
      [60_000, ['MAP_VIEW']],
      [-60_001, both],
      [-5_000, both],
    ] as const) {
      clock.move(move);
      expect([clock.now() - start, await rights(ada)]).toEqual([clock.now() - start, held]);
    }
    expect(reads).not.toHaveBeenCalled();
    // What does not change is answered as the same list, ETag and all.
    const held = await permissions.ofPerson(ada);
    clock.move(1);
    expect((await permissions.ofPerson(ada))?.set).toBe(held?.set);
  });

  it('RIGHT-3: people with the same rights share one list, and who is not there has none', async () => {
    const { permissions, ada, ben, rights } = await permissionsOfTwo();
    expect((await permissions.ofPerson(ada))?.set).toBe((await permissions.ofPerson(ben))?.set);
    expect(await permissions.ofPerson('nobody')).toBeNull();
    expect(await rights('nobody')).toEqual([]);
  });

  it('RIGHT-3: an API token has of its rights those that its creator still holds', async () => {
    const { ofToken, grants, ada, database, publish } = await permissionsOfTwo();
    const asked = new Set(['MAP_VIEW', 'PEOPLE_READ']);
    grants.set('of the command line', { rights: asked, createdBy: null });
    grants.set('of ada', { rights: asked, createdBy: ada });
    grants.set('of an erased person', { rights: asked, createdBy: 'nobody' });
    expect(await ofToken('of the command line')).toEqual(['MAP_VIEW', 'PEOPLE_READ']);
    expect(await ofToken('of ada')).toEqual(['MAP_VIEW']);
    expect(await ofToken('of an erased person')).toEqual([]);
    expect(await ofToken('gone')).toEqual([]);
    await database.change((change) => setRolesOf(change, ada, []));
    publish('rights', ada);
    expect(await ofToken('of ada')).toEqual([]);
  });
});
