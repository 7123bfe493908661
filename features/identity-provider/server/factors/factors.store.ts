import { countRows, removeSome } from '#server/platform/database/sql.ts';
import { type Kysely, sql } from 'kysely';
import type { Passkey } from '#features/identity-provider/contract/factors.ts';
import type { Change, Reader, Writer } from '#server/platform/database/database.ts';
import { newId } from '#server/platform/keys/ids.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    passkey: {
      id: string;
      /** The id by which authenticators know the passkey; up to 1,364 characters. */
      credential_id: string;
      account_id: string;
      /** The host that the passkey was made for. */
      rp_id: string;
      /** COSE, base64url. */
      public_key: string;
      counter: number;
      /** JSON. */
      transports: string;
      name: string;
      /** 0 or 1. */
      synced: number;
      created_at: number;
      used_at: number | null;
    };
    one_time_code: {
      account_id: string;
      sealed_secret: string;
      /** Null until the first code was typed. */
      confirmed_at: number | null;
      /** The 30-second step of the last code that was accepted. */
      last_step: number;
    };
    recovery_code: { code_hash: string; account_id: string };
    /** Challenges that were answered, until they would have expired. */
    spent_challenge: { hash: string; expires_at: number };
  }
}

// The only SQL that writes these tables.

export async function createFactors({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('account').addColumn('passkey_handle', 'text').execute();
  await schema
    .alterTable('account')
    .addColumn('factors_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await schema
    .createTable('passkey')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('credential_id', 'text', (column) => column.notNull().unique())
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('rp_id', 'text', (column) => column.notNull())
    .addColumn('public_key', 'text', (column) => column.notNull())
    .addColumn('counter', 'bigint', (column) => column.notNull())
    .addColumn('transports', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('synced', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('used_at', 'bigint')
    .execute();
  await schema.createIndex('passkey_account').on('passkey').column('account_id').execute();
  await schema
    .createTable('one_time_code')
    .addColumn('account_id', 'text', (column) =>
      column.primaryKey().references('account.id').onDelete('cascade'),
    )
    .addColumn('sealed_secret', 'text', (column) => column.notNull())
    .addColumn('confirmed_at', 'bigint')
    .addColumn('last_step', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createTable('recovery_code')
    .addColumn('code_hash', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .execute();
  await schema.createIndex('recovery_code_account').on('recovery_code').column('account_id').execute();
  await schema
    .createTable('spent_challenge')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
}

export type StoredPasskey = Passkey & {
  accountId: string;
  rpId: string;
  publicKey: string;
  counter: number;
  transports: string[];
};

/** @param rpId the installation's present relying party id; null: passkeys do not work there */
export async function passkeysOf(
  read: Reader,
  by: { accountId: string } | { credentialId: string },
  rpId: string | null,
): Promise<StoredPasskey[]> {
  const query = read.selectFrom('passkey').selectAll().orderBy('created_at').orderBy('id');
  const rows = await (
    'credentialId' in by
      ? query.where('credential_id', '=', by.credentialId)
      : query.where('account_id', '=', by.accountId)
  ).execute();
  return rows.map((row) => ({
    id: row.id,
    credentialId: row.credential_id,
    name: row.name,
    synced: row.synced === 1,
    usable: row.rp_id === rpId,
    createdAt: row.created_at,
    usedAt: row.used_at,
    accountId: row.account_id,
    rpId: row.rp_id,
    publicKey: row.public_key,
    counter: row.counter,
    transports: JSON.parse(row.transports) as string[],
  }));
}

export async function insertPasskey(
  change: Change,
  passkey: Omit<StoredPasskey, 'id' | 'usable' | 'createdAt' | 'usedAt'>,
): Promise<void> {
  await change.tx
    .insertInto('passkey')
    .values({
      id: newId(),
      credential_id: passkey.credentialId,
      account_id: passkey.accountId,
      rp_id: passkey.rpId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: JSON.stringify(passkey.transports),
      name: passkey.name,
      synced: Number(passkey.synced),
      created_at: change.at,
      used_at: null,
    })
    .execute();
}

/** Notes a use; false where another use has changed the counter since it was checked. */
export async function notePasskeyUse(
  tx: Writer,
  { id, counter }: StoredPasskey,
  use: { counter: number; synced: boolean; at: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('passkey')
    .set({ counter: use.counter, synced: Number(use.synced), used_at: use.at })
    .where('id', '=', id)
    .where('counter', '=', counter)
    .executeTakeFirst();
  return Number(numUpdatedRows) === 1;
}

/** False where the account has no such passkey. */
export async function storePasskeyName(
  tx: Writer,
  accountId: string,
  id: string,
  name: string,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('passkey')
    .set({ name })
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return Number(numUpdatedRows) === 1;
}

export async function deletePasskey(tx: Writer, id: string): Promise<void> {
  await tx.deleteFrom('passkey').where('id', '=', id).execute();
}

/** How many passkeys were made for another host than this one. */
export function countSilenced(read: Reader, rpId: string | null): Promise<number> {
  return countRows(read.selectFrom('passkey').where('rp_id', '<>', rpId ?? ''));
}

/** The handle by which authenticators know an account; stores `fresh` where the account has none yet. */
export async function passkeyHandle(tx: Writer, accountId: string, fresh: string): Promise<string> {
  await tx
    .updateTable('account')
    .set({ passkey_handle: fresh })
    .where('id', '=', accountId)
    .where('passkey_handle', 'is', null)
    .execute();
  return (await knownHandle(tx, accountId)) ?? fresh;
}

export async function knownHandle(read: Reader, accountId: string): Promise<string | null> {
  const row = await read
    .selectFrom('account')
    .select('passkey_handle')
    .where('id', '=', accountId)
    .executeTakeFirst();
  return row?.passkey_handle ?? null;
}

/** False where the challenge was spent before. */
export async function spendChallenge(tx: Writer, hash: string, expiresAt: number): Promise<boolean> {
  const spent = await tx
    .insertInto('spent_challenge')
    .values({ hash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .executeTakeFirst();
  return Number(spent.numInsertedOrUpdatedRows) === 1;
}

/** Removes up to `most` challenges that have expired; answers how many went. */
export async function sweepChallenges(tx: Writer, now: number, most: number): Promise<number> {
  return removeSome(tx, 'spent_challenge', 'hash', most, (rows) => rows.where('expires_at', '<=', now));
}

export type OneTimeCode = { sealedSecret: string; confirmedAt: number | null; lastStep: number };

export async function oneTimeCodeOf(read: Reader, accountId: string): Promise<OneTimeCode | null> {
  const row = await read
    .selectFrom('one_time_code')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row === undefined
    ? null
    : { sealedSecret: row.sealed_secret, confirmedAt: row.confirmed_at, lastStep: row.last_step };
}

/** Stores a secret that waits for its first code, in place of another one that waits. */
export async function beginOneTimeCode(tx: Writer, accountId: string, sealedSecret: string): Promise<void> {
  const fresh = { sealed_secret: sealedSecret, confirmed_at: null, last_step: 0 };
  await tx
    .insertInto('one_time_code')
    .values({ account_id: accountId, ...fresh })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet(fresh).where('one_time_code.confirmed_at', 'is', null),
    )
    .execute();
}

export async function confirmOneTimeCode({ tx, at }: Change, accountId: string): Promise<void> {
  await tx
    .updateTable('one_time_code')
    .set({ confirmed_at: at })
    .where('account_id', '=', accountId)
    .execute();
}

/** False where this code, or a later one, was accepted before. */
export async function takeStep(tx: Writer, accountId: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('one_time_code')
    .set({ last_step: step })
    .where('account_id', '=', accountId)
    .where('last_step', '<', step)
    .executeTakeFirst();
  return Number(numUpdatedRows) === 1;
}

export async function deleteOneTimeCode(tx: Writer, accountId: string): Promise<void> {
  await tx.deleteFrom('one_time_code').where('account_id', '=', accountId).execute();
}

export async function replaceRecoveryCodes(
  tx: Writer,
  accountId: string,
  hashes: readonly string[],
): Promise<void> {
  await tx.deleteFrom('recovery_code').where('account_id', '=', accountId).execute();
  if (hashes.length === 0) return;
  await tx
    .insertInto('recovery_code')
    .values(hashes.map((hash) => ({ code_hash: hash, account_id: accountId })))
    .execute();
}

/** False where the code is not one of the account's, or was used before. */
export async function takeRecoveryCode(tx: Writer, accountId: string, hash: string): Promise<boolean> {
  const taken = await tx
    .deleteFrom('recovery_code')
    .where('code_hash', '=', hash)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return Number(taken.numDeletedRows) === 1;
}

export function countRecoveryCodes(read: Reader, accountId: string): Promise<number> {
  return countRows(read.selectFrom('recovery_code').where('account_id', '=', accountId));
}

/** Ends what browsers remember of an account's second factor. */
export async function noteFactorChange({ tx, at }: Change, accountId: string): Promise<void> {
  await tx
    .updateTable('account')
    // Two changes of one millisecond differ too.
    .set({ factors_at: sql<number>`case when factors_at < ${at} then ${at} else factors_at + 1 end` })
    .where('id', '=', accountId)
    .execute();
}

/** Removes the factors that were added since a time, and all recovery codes, which may be newer too. */
export async function deleteFactorsSince(change: Change, accountId: string, since: number): Promise<void> {
  const { tx } = change;
  await tx
    .deleteFrom('passkey')
    .where('account_id', '=', accountId)
    .where('created_at', '>=', since)
    .execute();
  await tx
    .deleteFrom('one_time_code')
    .where('account_id', '=', accountId)
    .where('confirmed_at', '>=', since)
    .execute();
  await replaceRecoveryCodes(tx, accountId, []);
  await noteFactorChange(change, accountId);
}

/** Removes all factors of an account but the password; false where there were none. */
export async function deleteFactors(change: Change, accountId: string): Promise<boolean> {
  const { tx } = change;
  const counts = [];
  for (const table of ['passkey', 'one_time_code', 'recovery_code'] as const)
    counts.push(
      (await tx.deleteFrom(table).where('account_id', '=', accountId).executeTakeFirst()).numDeletedRows,
    );
  await noteFactorChange(change, accountId);
  return counts.some((count) => count > 0);
}
