import { sql } from 'kysely';
import { type ApiToken, weekMs } from '#features/api-tokens/contract/api-tokens.ts';
import type { Change, Reader, Writer } from '#server/platform/database/database.ts';
import { recordAudit, type Actor } from '#features/audit/server/audit.store.ts';
import { authorOf, writtenBy } from '#features/directory/server/authors.ts';
import { countRows, removeSome } from '#server/platform/database/sql.ts';
import { hashSecret, newId, newSecret } from '#server/platform/keys/ids.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** For scripts (SES-9). */
    api_token: {
      id: string;
      name: string;
      secret_hash: string;
      rights: string;
      /** The operator whose rights bound the token's, or null: the command line. */
      created_by: string | null;
      created_at: number;
      expires_at: number;
      last_used_at: number | null;
      /** The token that created this one. Revoking that token revokes this one too. */
      parent_id: string | null;
      revoked_at: number | null;
      revoked_by: string | null;
      revoked_by_id: string | null;
    };
  }
}

/** What every API token's secret begins with, so that people and scanners recognise one. */
export const apiTokenPrefix = 'portico_pat_';

type NewApiToken = {
  name: string;
  rights: readonly string[];
  /** The person whose rights bound the token's, or null: the command line. */
  createdBy: string | null;
  /** The token that creates this one, if a token does. */
  parentId?: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
};

/** A token as stored, without its secret. */
export type StoredApiToken = {
  id: string;
  name: string;
  rights: ReadonlySet<string>;
  createdBy: string | null;
  expiresAt: number;
};

/** Adds a token. Only the answer contains the secret; the database stores its hash (SES-9). */
export async function createApiToken(
  change: Change,
  token: NewApiToken,
): Promise<{ id: string; secret: string }> {
  const id = newId();
  const secret = `${apiTokenPrefix}${newSecret()}`;
  await change.tx
    .insertInto('api_token')
    .values({
      id,
      name: token.name,
      secret_hash: hashSecret(secret),
      rights: JSON.stringify([...new Set(token.rights)].toSorted()),
      created_by: token.createdBy,
      created_at: change.at,
      expires_at: token.expiresAt,
      last_used_at: null,
      parent_id: token.parentId ?? null,
      revoked_at: null,
      revoked_by: null,
    })
    .execute();
  change.publish('api-tokens', id);
  return { id, secret };
}

/** A token that has not been revoked. */
export function apiTokenByHash(read: Reader, secretHash: string): Promise<StoredApiToken | null> {
  return readOne(read, 'secret_hash', secretHash);
}

/** A token that has not been revoked. */
export function apiTokenById(read: Reader, id: string): Promise<StoredApiToken | null> {
  return readOne(read, 'id', id);
}

async function readOne(
  read: Reader,
  column: 'id' | 'secret_hash',
  value: string,
): Promise<StoredApiToken | null> {
  const row = await read
    .selectFrom('api_token')
    .selectAll()
    .where(column, '=', value)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    id: row.id,
    name: row.name,
    rights: new Set(JSON.parse(row.rights) as string[]),
    createdBy: row.created_by,
    expiresAt: row.expires_at,
  };
}

/** For how long after a recorded use no other use is recorded, so that a busy script does not write at each call. */
export const recordUseEveryMs = 60_000;

/** Records a use, at most once a minute over all replicas. */
export async function recordUse(tx: Writer, id: string, at: number): Promise<void> {
  await tx
    .updateTable('api_token')
    .set({ last_used_at: at })
    .where('id', '=', id)
    .where((row) =>
      row.or([row('last_used_at', 'is', null), row('last_used_at', '<=', at - recordUseEveryMs)]),
    )
    .execute();
}

/** A token of the list, without its current state and rights, which are computed elsewhere. */
export type ListedApiToken = Omit<ApiToken, 'inForce' | 'state'> & {
  /** The person whose rights bound the token's. */
  creatorId: string | null;
};

/** The youngest first. */
export async function readApiTokens(read: Reader, id?: string): Promise<ListedApiToken[]> {
  const rows = await read
    .selectFrom('api_token')
    .leftJoin('person', 'person.id', 'api_token.created_by')
    .leftJoin('api_token as parent', 'parent.id', 'api_token.parent_id')
    .select([
      'api_token.id',
      'api_token.name',
      'api_token.rights',
      'api_token.created_by',
      'api_token.created_at',
      'api_token.expires_at',
      'api_token.last_used_at',
      'api_token.parent_id',
      'api_token.revoked_at',
      'person.email',
      'parent.name as parent_name',
      authorOf('api_token.revoked_by').as('revokedBy'),
    ])
    .$if(id !== undefined, (query) => query.where('api_token.id', '=', id ?? ''))
    .orderBy('api_token.created_at', 'desc')
    .orderBy('api_token.id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    rights: JSON.parse(row.rights) as string[],
    createdAt: row.created_at,
    createdBy:
      row.parent_id !== null
        ? { kind: 'token', name: row.parent_name ?? '' }
        : row.created_by !== null
          ? { kind: 'person', name: row.email ?? '' }
          : { kind: 'command-line', name: '' },
    creatorId: row.created_by,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
    revokedBy: row.revokedBy,
  }));
}

/** How many tokens could be used at this time. */
export function countActive(read: Reader, now: number): Promise<number> {
  const living = read.selectFrom('api_token').where('revoked_at', 'is', null).where('expires_at', '>', now);
  return countRows(living);
}

/**
 * Revokes a token and all tokens created with it, directly or through other tokens. Answers the tokens that this
 * call revoked, without those revoked before; null where there is no such token.
 */
export async function revokeApiTokens(
  change: Change,
  id: string,
  actor: Actor,
): Promise<{ id: string; name: string; rights: string[] }[] | null> {
  const known = await change.tx.selectFrom('api_token').select('id').where('id', '=', id).executeTakeFirst();
  if (known === undefined) return null;
  const family = await change.tx
    .withRecursive('family', (db) =>
      db
        .selectFrom('api_token')
        .select('api_token.id')
        .where('api_token.id', '=', id)
        .unionAll(
          db
            .selectFrom('api_token')
            .innerJoin('family', 'family.id', 'api_token.parent_id')
            .select('api_token.id'),
        ),
    )
    .selectFrom('family')
    .select('family.id')
    .execute();
  const revoked = await change.tx
    .updateTable('api_token')
    .set({ revoked_at: change.at, ...writtenBy('revoked_by', actor) })
    .where(
      'id',
      'in',
      family.map((member) => member.id),
    )
    .where('revoked_at', 'is', null)
    .returning(['id', 'name', 'rights'])
    .execute();
  for (const token of revoked) change.publish('api-tokens', token.id);
  return revoked.map(({ rights, ...token }) => ({ ...token, rights: JSON.parse(rights) as string[] }));
}

/** Revokes the tokens that a person has created since a time, and writes the audit entries. */
export async function revokeTokensSince(
  change: Change,
  actor: Actor & { id: string },
  since: number,
): Promise<void> {
  const made = await change.tx
    .selectFrom('api_token')
    .select('id')
    .where('created_by', '=', actor.id)
    .where('created_at', '>=', since)
    .execute();
  for (const { id: one } of made)
    for (const { id, name, rights } of (await revokeApiTokens(change, one, actor)) ?? [])
      await recordAudit(change, actor, { action: 'api-token.revoke', subject: id, before: { name, rights } });
}

/**
 * Removes a deleted right from every token, so that a later right of the same name is not granted to them.
 */
export async function takeRightFromTokens(change: Change, right: string): Promise<void> {
  const tokens = await change.tx
    .selectFrom('api_token')
    .select(['id', 'rights'])
    .where('rights', 'like', `%"${right}"%`)
    .execute();
  for (const { id, rights } of tokens) {
    const held = JSON.parse(rights) as string[];
    // `_` in a name would match any character of the pattern.
    if (!held.includes(right)) continue;
    await change.tx
      .updateTable('api_token')
      .set({ rights: JSON.stringify(held.filter((one) => one !== right)) })
      .where('id', '=', id)
      .execute();
    change.publish('api-tokens', id);
  }
}

const retentionMs = 90 * 24 * 3_600_000;

/** Removes up to `most` tokens that ended long ago; answers how many went. */
export async function sweepApiTokens(tx: Writer, now: number, most: number): Promise<number> {
  return removeSome(tx, 'api_token', 'id', most, (rows) =>
    rows.where(sql<number>`coalesce(revoked_at, expires_at)`, '<', now - retentionMs),
  );
}

/** When the next of the tokens that are valid at this time expires, or null. */
export async function nextEnd(read: Reader, now: number): Promise<number | null> {
  const first = await read
    .selectFrom('api_token')
    .select(({ fn }) => fn.min('expires_at').as('at'))
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return first?.at ?? null;
}

/** The tokens that expire soon (`endsSoon` of the contract), the earliest first. */
export function expiringTokens(
  read: Reader,
  now: number,
): Promise<{ id: string; name: string; expiresAt: number }[]> {
  return read
    .selectFrom('api_token')
    .select(['id', 'name', 'expires_at as expiresAt'])
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .where('expires_at', '<=', now + weekMs)
    .whereRef('created_at', '<=', (row) => row('expires_at', '-', 2 * weekMs))
    .orderBy('expires_at')
    .orderBy('id')
    .execute();
}
