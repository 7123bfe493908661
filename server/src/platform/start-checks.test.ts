import { closeSync, openSync, readdirSync, writeSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { insertMail } from '#features/mail/server/mail.store.ts';
import { createFlag } from '#features/flags/contract/flags.ts';
import { getProfile } from '#features/profile/contract/profile.ts';
import { newFlag } from '#features/flags/server/testing/new-flag.ts';
import { startApp } from '../testing/app.ts';
import { dump } from '../testing/dump.ts';
import { engines, freshDatabase, afterThisTest } from '../testing/fresh-database.ts';
import { movableClock } from '../testing/movable-clock.ts';
import { addToken } from '../testing/people.ts';
import { onServer } from '../testing/postgres-server.ts';
import { signIn } from '../testing/signed-in.ts';
import { sqliteFile } from './database/database.ts';
import { newId } from './keys/ids.ts';

const dayMs = 86_400_000;

describe('a start on storage that may not be written', () => {
  it('START-5: is refused on SQLite, naming DATA_DIR', async () => {
    const place = await freshDatabase('sqlite');
    // "Write version" 3: read-only for every SQLite there is, and for every user (sqlite.org/fileformat.html,
    // 1.3.3).
    const file = openSync(sqliteFile(place.dataDir), 'r+');
    writeSync(file, new Uint8Array([3]), 0, 1, 18);
    closeSync(file);
    await expect(startApp({ on: place })).rejects.toThrow(
      `DATA_DIR holds ${JSON.stringify(place.dataDir)}; expected a folder that Portico may write to (attempt to write a readonly database).`,
    );
  });

  it('START-5: is refused on PostgreSQL, naming DATABASE_URL, for a role that may only read and a read-only server', async () => {
    const place = await freshDatabase('postgres');
    if (place.location.engine !== 'postgres') throw new Error('not PostgreSQL');
    const { url } = place.location;
    const role = `reader_${Buffer.from(newId(), 'base64url').toString('hex')}`;
    await onServer(url, `create role ${role} login`);
    afterThisTest(async () => {
      await onServer(url, `drop owned by ${role}`);
      await onServer(url, `drop role ${role}`);
    });
    const asReader = new URL(url);
    asReader.username = role;
    const on = { ...place, location: { engine: 'postgres', url: asReader.href } as const };
    const refusal = (reason: string) =>
      `DATABASE_URL holds "(a secret)"; expected a PostgreSQL that Portico may write to (${reason}).`;

    await onServer(url, `grant select on all tables in schema public to ${role}`);
    await expect(startApp({ on })).rejects.toThrow(refusal('permission denied for table revision'));
    // All but one.
    await onServer(url, `grant all on all tables in schema public to ${role}`);
    await onServer(url, `revoke insert on audit from ${role}`);
    await expect(startApp({ on })).rejects.toThrow(refusal('permission denied for audit'));
    await onServer(url, `grant insert on audit to ${role}`);
    await (await startApp({ on })).stop();
    await onServer(url, `alter role ${role} set default_transaction_read_only = on`);
    await expect(startApp({ on })).rejects.toThrow(
      refusal('cannot execute UPDATE in a read-only transaction'),
    );
  });

  it('START-4: leaves nothing behind of what it tried', async () => {
    const app = await startApp({ engine: 'sqlite' });
    expect(readdirSync(app.place.dataDir).filter((name) => name.startsWith('start'))).toEqual([]);
    const { settings } = await app.database.read
      .selectFrom('setting')
      .select((row) => row.fn.countAll<number>().as('settings'))
      .where('name', 'like', 'start %')
      .executeTakeFirstOrThrow();
    expect(settings).toBe(0);
  });
});

describe.each(engines)('the clock at the start on %s', (engine) => {
  it('START-5: behind what is stored refuses it, until it is right or the operator allows it', async () => {
    const clock = movableClock();
    const now = clock.now();
    clock.move(365 * dayMs);
    const ahead = await startApp({ engine, clock });
    const person = await signIn(ahead);
    const { email } = person;
    const wrong = clock.now();
    await ahead.database.transaction(async (tx) => {
      await tx
        .insertInto('sign_in_guess')
        .values({ email_hash: 'a', guesses: 9, last_at: wrong, next_try_at: wrong + dayMs })
        .execute();
      await tx.insertInto('mail_pause').values({ kind: 'reply', email, last_at: wrong }).execute();
      await insertMail(tx, { kind: 'reply', email, language: 'en' }, wrong, wrong + dayMs);
    });
    await ahead.stop();
    clock.move(-365 * dayMs);
    const next = startApp({ after: ahead, clock });
    await expect(next).rejects.toThrow(
      new RegExp(
        `^The clock says ${new Date(now).toISOString()}, and the last change in the database is of 20.*Set the clock\\. .*ALLOW_CLOCK_BEHIND=true\\.$`,
      ),
    );

    const again = await startApp({ after: ahead, clock, config: { allowClockBehind: true } });
    const accessToken = await addToken(again, { rights: ['FLAGS_WRITE'] });
    const { body } = await again.call(createFlag, { body: newFlag('again') }, { accessToken });
    expect(body.key).toBe('again');
    const { at } = await again.database.read.selectFrom('revision').select('at').executeTakeFirstOrThrow();
    expect(at - now).toBeLessThan(dayMs);
    const rows = await dump(again.database);
    expect([rows['sign_in_guess'], rows['mail_pause']]).toEqual([[], []]);
    const late = again.database.read.selectFrom('mail').where('next_try_at', '>', now + dayMs);
    expect(await late.selectAll().execute()).toEqual([]);
    // A session of that time would outlive every limit.
    const { status } = await person.call(getProfile, { params: { userId: 'current' } });
    expect(status).toBe(401);
    await again.stop();
    await (await startApp({ after: ahead, clock, config: { allowClockBehind: false } })).stop();
  });

  it('START-5: a little behind starts, and a month ahead is a line in the log', async () => {
    const clock = movableClock();
    const app = await startApp({ engine, clock });
    await signIn(app);
    await app.stop();
    clock.move(-dayMs / 2);
    const behind = await startApp({ after: app, clock });
    await behind.stop();
    clock.move(40 * dayMs);
    const ahead = await startApp({ after: app, clock });
    const notices = (log: typeof app.log) =>
      log.filter(({ msg }) => msg.startsWith('nothing was changed for a month'));
    expect([notices(behind.log).length, notices(ahead.log).length]).toEqual([0, 1]);
  });
});
