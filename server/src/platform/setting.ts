import { newSecret } from './ids.ts';
import type { Database } from './database.ts';

/** A random secret of the installation, made at its first use and the same on every replica. */
export async function installationSecret(database: Database, name: string): Promise<string> {
  const known = await database.read
    .selectFrom('setting')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst();
  if (known !== undefined) return known.value;
  return database.transaction(async (tx) => {
    await tx
      .insertInto('setting')
      .values({ name, value: newSecret() })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    const row = await tx
      .selectFrom('setting')
      .select('value')
      .where('name', '=', name)
      .executeTakeFirstOrThrow();
    return row.value;
  });
}
