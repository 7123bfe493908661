import { getPresence, publishPresence } from '#features/presence/contract/presence.ts';
import { describe, expect, it, vi } from 'vitest';
import { startApp } from '#server/testing/app.ts';
import { openBrowser } from '#server/testing/browser.ts';
import { engines, provedOn } from '#server/testing/fresh-database.ts';
import { openLive } from '#server/testing/live-events.ts';
import { signIn, type SignedIn } from '#server/testing/signed-in.ts';

describe.each(engines)('presence on %s', (engine) => {
  const once = provedOn(engine);
  it('MAINT-7: counts people, tabs and unsaved work of who is connected, and names no one', async () => {
    const app = await startApp({ engine });
    const [operator, ada, mia] = [
      await signIn(app, { roles: ['operator'] }),
      await signIn(app, { roles: ['member'] }),
      await signIn(app, { roles: ['member'] }),
    ];
    const count = async () => (await operator.call(getPresence, {})).body;
    const publish = async (person: SignedIn, connectionId: string, tabs: number, unsaved: number) => {
      const call = { params: { connectionId }, body: { tabs, unsaved } };
      const { status, problem } = await person.call(publishPresence, call);
      return problem?.code ?? status;
    };
    expect(await count()).toEqual({ people: 0, tabs: 0, unsaved: 0 });

    const desk = await openLive(app, ada.accessToken, { browser: 'tabs=3&unsaved=1' });
    await expect.poll(count).toEqual({ people: 1, tabs: 3, unsaved: 1 });
    const adasOther = openBrowser(app.url, undefined, app.config.publicUrl);
    await adasOther.signIn(ada);
    const phone = await openLive(app, (await adasOther.renew()).body.accessToken);
    await expect.poll(count).toEqual({ people: 1, tabs: 4, unsaved: 1 });
    const mias = await openLive(app, mia.accessToken, { browser: 'tabs=1&unsaved=1' });
    // At once, before anything can have been written.
    expect(await publish(mia, mias.connectionId, 2, 2)).toBe(204);
    expect(await count()).toEqual({ people: 2, tabs: 6, unsaved: 3 });

    expect(await publish(ada, desk.connectionId, 1, 0)).toBe(204);
    expect(await count()).toEqual({ people: 2, tabs: 4, unsaved: 2 });
    expect(await publish(mia, desk.connectionId, 9, 9)).toBe('NOT_FOUND');
    expect(await publish(ada, 'nothing', 9, 9)).toBe('NOT_FOUND');
    expect(await count()).toEqual({ people: 2, tabs: 4, unsaved: 2 });
    expect((await mia.call(getPresence, {})).problem?.code).toBe('RIGHT_MISSING');
    const stored = JSON.stringify(await app.database.read.selectFrom('presence').selectAll().execute());
    expect(stored).not.toMatch(new RegExp([ada.id, mia.id, ada.email, mia.email].join('|')));

    desk.close();
    await expect.poll(count).toEqual({ people: 2, tabs: 3, unsaved: 2 });
    expect(await publish(ada, desk.connectionId, 1, 0)).toBe('NOT_FOUND');
    mias.close();
    phone.close();
    await expect.poll(count).toEqual({ people: 0, tabs: 0, unsaved: 0 });
  });

  it.each(once)('MAINT-7: does not count people whose session has ended', async () => {
    const app = await startApp({ engine });
    const operator = await signIn(app, { roles: ['operator'] });
    const stream = await openLive(app, (await signIn(app)).accessToken);
    const people = async () => (await operator.call(getPresence, {})).body.people;
    await expect.poll(people).toBe(1);
    const { id } = await app.database.read
      .selectFrom('session')
      .select('id')
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow();
    await app.database.change(async (change) => {
      await change.tx.deleteFrom('session').where('id', '=', id).execute();
      change.publish('session', id);
    });
    await stream.ended;
    await expect.poll(people).toBe(0);
  });
});

it('MAINT-7: writes its browsers again where the others forgot it, and forgets those of a replica that was killed', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  try {
    const app = await startApp({ engine: 'postgres' });
    const operator = await signIn(app, { roles: ['operator'] });
    const count = async () => (await operator.call(getPresence, {})).body;
    const stream = await openLive(app, operator.accessToken, { browser: 'tabs=2' });
    await expect.poll(count).toEqual({ people: 1, tabs: 2, unsaved: 0 });
    const call = { params: { connectionId: stream.connectionId }, body: { tabs: 3, unsaved: 1 } };
    expect((await operator.call(publishPresence, call)).status).toBe(204);

    const killed = { process_id: 'killed', connection_id: 'gone', person_hash: 'x', tabs: 5, unsaved: 5 };
    await app.database.transaction(async (tx) => {
      await tx.deleteFrom('presence').execute();
      await tx.deleteFrom('presence_process').execute();
      await tx.insertInto('presence_process').values({ id: 'killed', seen_at: 0 }).execute();
      await tx.insertInto('presence').values(killed).execute();
    });
    expect(await count()).toEqual({ people: 0, tabs: 0, unsaved: 0 });
    await vi.advanceTimersByTimeAsync(10_000);
    await expect.poll(count).toEqual({ people: 1, tabs: 3, unsaved: 1 });
    const rows = await app.database.read.selectFrom('presence').select('connection_id').execute();
    expect(rows.map((row) => row.connection_id)).toEqual([stream.connectionId]);
  } finally {
    vi.useRealTimers();
  }
});
