import { newSecret } from '../keys/ids.ts';
import type { Change, Database, Reader, Writer } from './database.ts';

/** A random secret of the installation, made at its first use and the same on every replica. */
export async function installationSecret(database: Database, name: string): Promise<string> {
  const known = await readSetting(database.read, name);
  if (known !== null) return known;
  return database.transaction(async (tx) => {
    await tx
      .insertInto('setting')
      .values({ name, value: newSecret() })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    const stored = await readSetting(tx, name);
    if (stored === null) throw new Error(`The secret ${name} was not stored.`);
    return stored;
  });
}

export async function readSetting(read: Reader, name: string): Promise<string | null> {
  const row = await read.selectFrom('setting').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value ?? null;
}

export async function writeSetting(tx: Writer, name: string, value: string): Promise<void> {
  await tx
    .insertInto('setting')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** Whether something has ever happened to this installation, as `noteOnce` wrote it. */
export async function isNoted(read: Reader, name: string): Promise<boolean> {
  return (await readSetting(read, name)) !== null;
}

/** Writes that something has happened, for good; answers false where it had been written before. */
export async function noteOnce({ tx, at }: Pick<Change, 'tx' | 'at'>, name: string): Promise<boolean> {
  const noted = await tx
    .insertInto('setting')
    .values({ name, value: new Date(at).toISOString() })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirst();
  return Number(noted.numInsertedOrUpdatedRows) === 1;
}
