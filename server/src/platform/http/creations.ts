import { createHmac, hkdfSync } from 'node:crypto';
import * as z from 'zod/mini';
import { idempotencyHeader, idempotencyKey, type Route, type Schema } from '#contract/route.ts';
import { creationUnderWay, type Change, type Database, type Writer } from '../database/database.ts';
import { hashSecret } from '../keys/ids.ts';
import { createSeal } from '../keys/seal.ts';
import type { Clock } from '../time/clock.ts';
import type { Caller } from './access-check.ts';
import { HttpProblem } from './http-problem.ts';
import { removeSome } from '../database/sql.ts';

/** How long a client's id is remembered, and how many of one caller; then the oldest are forgotten. */
export const creationLimits = { lifetimeMs: 24 * 3_600_000, ofOneCaller: 100 };

export type Creations = {
  /**
   * Runs `work`, or answers what the first call with this id, caller and route was answered. The row that
   * stands for the id is written in the transaction that creates: of two calls at the same time, on whichever
   * replicas, one finds that row and its own transaction is undone.
   *
   * @param id of the client; null: `work` runs at each call
   * @param input the parts of the call; null for a form, whose content `readForm` binds
   * @throws HttpProblem IDEMPOTENCY_KEY_USED for other input under the same id; whatever `work` throws
   */
  once(
    call: { id: string | null; caller: Caller; route: Route & { answer: Schema }; input: unknown },
    work: () => unknown,
  ): Promise<unknown>;
  /** Removes what is older than a day. */
  sweep(tx: Writer, now: number, most: number): Promise<number>;
};

const wrongId = {
  pointer: '/Idempotency-Key',
  code: 'format',
  message: 'must be 16 to 128 letters, digits, - or _, such as a UUID',
};

/** The client's id of a request; null: none was sent. Throws INVALID_REQUEST. */
export function creationIdOf(headers: Record<string, string | string[] | undefined>): string | null {
  const sent = headers[idempotencyHeader];
  if (sent === undefined) return null;
  if (typeof sent !== 'string' || !idempotencyKey.test(sent))
    throw new HttpProblem('INVALID_REQUEST', { errors: [wrongId] });
  return sent.replaceAll('"', '');
}

class AlreadyCreated extends Error {}

export function createCreations(database: Database, clock: Clock): Creations {
  return {
    async once({ id, caller, route, input }, work) {
      if (id === null) return work();
      const owner = `${caller.kind} ${caller.id}`;
      const keyHash = hashSecret(JSON.stringify([owner, route.method, route.path, id]));
      const purpose = 'portico creation';
      const { seal, open } = createSeal(id, owner, purpose);
      const key = Buffer.from(hkdfSync('sha256', id, owner, purpose, 32));
      const digest = (content: unknown) =>
        createHmac('sha256', key).update(JSON.stringify(content)).digest('base64url');
      let content = input === null ? null : digest(input);
      let stored: string | null = null;
      let finished = false;

      async function first(): Promise<{ answer: unknown } | null> {
        const row = await database.read
          .selectFrom('creation')
          .select(['content', 'answer'])
          .where('key_hash', '=', keyHash)
          .where('created_at', '>', clock.now() - creationLimits.lifetimeMs)
          .executeTakeFirst();
        if (row === undefined || content === null) return null;
        if (row.content !== content) throw new HttpProblem('IDEMPOTENCY_KEY_USED');
        return { answer: JSON.parse(open(row.answer, '') as string) as unknown };
      }

      async function store({ tx, at }: Change, value: unknown): Promise<void> {
        const read = z.safeParse(route.answer, value);
        if (finished || stored !== null || content === null || !read.success) return;
        stored = JSON.stringify(read.data);
        const row = { key_hash: keyHash, caller: owner, content, created_at: at };
        await removeOld(tx, owner, at);
        const inserted = await tx
          .insertInto('creation')
          .values({ ...row, answer: seal(stored, '') })
          .onConflict((conflict) => conflict.doNothing())
          .returning('key_hash')
          .execute();
        if (inserted.length === 0) throw new AlreadyCreated();
      }

      const before = await first();
      if (before !== null) return before.answer;
      try {
        const bind = (given: unknown) => (content = digest(given));
        const answer = await creationUnderWay
          .run({ store, bind }, async () => work())
          .finally(() => (finished = true));
        if (stored === null) throw new Error(`${route.path} has made no change that is its answer.`);
        const final = JSON.stringify(z.parse(route.answer, answer));
        // The answer may hold what was found out after the change, such as that a mail was sent.
        if (final !== stored)
          await database.transaction(async (tx) => {
            const changed = { answer: seal(final, '') };
            await tx.updateTable('creation').set(changed).where('key_hash', '=', keyHash).execute();
          });
        return answer;
      } catch (error) {
        const meanwhile = await first();
        if (meanwhile === null) throw error;
        return meanwhile.answer;
      }
    },
    async sweep(tx, now, most) {
      return removeSome(tx, 'creation', 'key_hash', most, (rows) =>
        rows.where('created_at', '<=', now - creationLimits.lifetimeMs),
      );
    },
  };
}

/** Makes room for one more row of a caller. */
async function removeOld(tx: Writer, caller: string, now: number): Promise<void> {
  await tx
    .deleteFrom('creation')
    .where('caller', '=', caller)
    .where((row) =>
      row.or([
        row('created_at', '<=', now - creationLimits.lifetimeMs),
        row(
          'created_at',
          '<=',
          row
            .selectFrom('creation')
            .select('created_at')
            .where('caller', '=', caller)
            .orderBy('created_at', 'desc')
            .offset(creationLimits.ofOneCaller - 1)
            .limit(1),
        ),
      ]),
    )
    .execute();
}
