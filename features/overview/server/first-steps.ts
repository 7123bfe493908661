import type { FirstStep, FirstSteps } from '#features/overview/contract/overview.ts';
import type { Core } from '#server/core.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import { recordAudit } from '#features/audit/server/audit.store.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** One row from the time when an operator hides the list of first steps. */
    first_steps_hidden: { id: number; at: number };
  }
}

/**
 * Which of the first steps are done, by what is there (CON-5).
 *
 * @param isConnected an SDK is connected to this process now
 */
export async function readFirstSteps({ config, database }: Core, isConnected: boolean): Promise<FirstSteps> {
  const { read } = database;
  if (await isHidden(read)) return { done: [], hidden: true };
  const some = async (rows: Promise<readonly unknown[]>, least = 1) => (await rows).length >= least;
  const [passkey, codes, app, person, account, flag, sdk, branding] = await Promise.all([
    some(read.selectFrom('passkey').select('id').limit(1).execute()),
    some(
      read
        .selectFrom('one_time_code')
        .select('account_id')
        .where('confirmed_at', 'is not', null)
        .limit(1)
        .execute(),
    ),
    some(read.selectFrom('home_app').select('key').limit(1).execute()),
    some(read.selectFrom('person').select('id').limit(2).execute(), 2),
    some(read.selectFrom('account').select('id').limit(2).execute(), 2),
    some(read.selectFrom('flag').select('key').limit(1).execute()),
    some(read.selectFrom('activity').select('at').where('sdks', '>', 0).limit(1).execute()),
    some(read.selectFrom('branding').select('id').where('changed_at', 'is not', null).execute()),
  ]);
  const isDone: Record<FirstStep, boolean> = {
    // Another provider decides itself what people need to sign in.
    protect: passkey || codes || config.oidc !== null,
    application: app || config.upstreams.length > 0,
    person: person || account,
    flag,
    sdk: sdk || isConnected,
    mail: config.mail !== null,
    branding,
  };
  return { done: (Object.keys(isDone) as FirstStep[]).filter((step) => isDone[step]), hidden: false };
}

async function isHidden(read: Reader): Promise<boolean> {
  return (await read.selectFrom('first_steps_hidden').select('id').executeTakeFirst()) !== undefined;
}

/** Hides the list for all operators, or shows it again; does nothing where it already is so. */
export async function hideFirstSteps(change: Change, caller: Caller, hidden: boolean): Promise<void> {
  const { tx, at } = change;
  if ((await isHidden(tx)) === hidden) return;
  if (!hidden) await tx.deleteFrom('first_steps_hidden').execute();
  else
    await tx
      .insertInto('first_steps_hidden')
      .values({ id: 1, at })
      // Two operators at once.
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  const action = hidden ? 'first-steps.hide' : 'first-steps.show';
  await recordAudit(change, caller, { action, subject: 'first-steps' });
}
