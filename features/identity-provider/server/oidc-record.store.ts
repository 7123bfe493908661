import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';
import type { Clock } from '#server/platform/time/clock.ts';
import type { Database, Reader, Writer } from '#server/platform/database/database.ts';
import { createGroupCommit } from '#server/platform/database/group-commit.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** What oidc-provider stores. */
    oidc_record: {
      model: string;
      id: string;
      payload: string;
      grant_id: string | null;
      uid: string | null;
      account_id: string | null;
      expires_at: number | null;
      consumed_at: number | null;
    };
  }
}

type Write = (work: (tx: Writer) => Promise<unknown>) => Promise<unknown>;

/** Stores the records of oidc-provider (sessions, grants, codes) in one table; the only SQL that writes it. */
export function createOidcAdapter(database: Database, clock: Clock): AdapterFactory {
  // A sign-in writes several records in turn. PostgreSQL commits those of several people in parallel.
  const write: Write =
    database.engine === 'sqlite' ? createGroupCommit(database) : (work) => database.transaction(work);
  return (model) => adapterOf(model, database.read, write, clock);
}

function adapterOf(model: string, read: Reader, write: Write, clock: Clock): Adapter {
  async function findBy(column: 'id' | 'uid', value: string): Promise<AdapterPayload | undefined> {
    const row = await read
      .selectFrom('oidc_record')
      .select(['payload', 'consumed_at'])
      .where('model', '=', model)
      .where(column, '=', value)
      .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', clock.now())]))
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const payload = JSON.parse(row.payload) as AdapterPayload;
    return row.consumed_at === null ? payload : { ...payload, consumed: Math.floor(row.consumed_at / 1000) };
  }

  return {
    async upsert(id, payload, expiresIn) {
      const record = {
        payload: JSON.stringify(payload),
        grant_id: payload.grantId ?? null,
        uid: payload.uid ?? null,
        account_id: payload.accountId ?? null,
        expires_at: expiresIn === undefined ? null : clock.now() + expiresIn * 1000,
      };
      await write((tx) =>
        tx
          .insertInto('oidc_record')
          .values({ model, id, ...record, consumed_at: null })
          .onConflict((conflict) => conflict.columns(['model', 'id']).doUpdateSet(record))
          .execute(),
      );
    },
    find: (id) => findBy('id', id),
    findByUid: (uid) => findBy('uid', uid),
    // The device flow, the only one with user codes, is off.
    findByUserCode: () => Promise.resolve(undefined),
    async consume(id) {
      const now = clock.now();
      await write((tx) =>
        tx
          .updateTable('oidc_record')
          .set({ consumed_at: now })
          .where('model', '=', model)
          .where('id', '=', id)
          .execute(),
      );
    },
    async destroy(id) {
      await write((tx) =>
        tx.deleteFrom('oidc_record').where('model', '=', model).where('id', '=', id).execute(),
      );
    },
    async revokeByGrantId(grantId) {
      await write((tx) =>
        tx.deleteFrom('oidc_record').where('model', '=', model).where('grant_id', '=', grantId).execute(),
      );
    },
  };
}

/** Ends what the provider remembers of an account: its sign-ins, grants and codes. */
export async function deleteRecordsOf(tx: Writer, accountId: string): Promise<void> {
  await tx.deleteFrom('oidc_record').where('account_id', '=', accountId).execute();
}

/** Forgets every sign-in at the provider, under way or done. */
export async function deleteAllRecords(tx: Writer): Promise<void> {
  await tx.deleteFrom('oidc_record').execute();
}

/** Removes up to `most` expired records; answers how many went. */
export async function sweepRecords(tx: Writer, now: number, most: number): Promise<number> {
  // The primary key has two columns, which SQLite and PostgreSQL compare in one go only as a row value.
  const expired = await tx
    .selectFrom('oidc_record')
    .select(['model', 'id'])
    .where('expires_at', '<=', now)
    .limit(most)
    .execute();
  for (const model of new Set(expired.map((record) => record.model))) {
    const ids = expired.filter((record) => record.model === model).map((record) => record.id);
    await tx.deleteFrom('oidc_record').where('model', '=', model).where('id', 'in', ids).execute();
  }
  return expired.length;
}
