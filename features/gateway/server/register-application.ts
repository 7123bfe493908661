import type { Registered } from '#server/config-upstreams.ts';
import type { Database } from '#server/platform/database/database.ts';
import type { Logger } from '#server/platform/log/logger.ts';
import { recordAudit, type Actor } from '#features/audit/server/audit.store.ts';
import { addFlag, readFlags } from '#features/flags/server/flags.store.ts';
import { addRight } from '#features/permissions/server/change-catalogue.ts';
import { unknownRights } from '#features/permissions/server/rules.store.ts';

const actor: Actor = { kind: 'start', id: null, name: 'UPSTREAMS_FILE' };

/**
 * Adds the rights and flags that applications register (GATE-4) and that are not there yet. What is there stays as
 * it is: operators may have changed a description or switched a flag, and what they removed from the file may be in
 * use.
 */
export async function registerApplications(
  database: Database,
  logger: Logger,
  { rights, flags }: Registered,
): Promise<void> {
  const missing = await missingOf(database, { rights, flags });
  if (missing.rights.length === 0 && missing.flags.length === 0) return;
  await database.change(async (change) => {
    // Another replica may have been first.
    const still = await missingOf({ read: change.tx }, missing);
    for (const right of still.rights) await addRight(change, actor, right);
    for (const { key, description, value } of still.flags) {
      const type = typeof value as 'boolean' | 'number' | 'string';
      const draft = { key, type, description, defaultValue: value, rules: [], tags: [], enabled: true };
      const after = await addFlag(change, draft, actor.name);
      await recordAudit(change, actor, { action: 'flag.create', subject: key, after });
    }
  });
  logger.info(
    { rights: missing.rights.map(({ right }) => right), flags: missing.flags.map(({ key }) => key) },
    'rights and flags of applications were added',
  );
}

async function missingOf(
  { read }: Pick<Database, 'read'>,
  { rights, flags }: Registered,
): Promise<Registered> {
  const unknown = await unknownRights(
    read,
    rights.map(({ right }) => right),
  );
  const known = flags.length === 0 ? [] : (await readFlags(read)).map(({ key }) => key);
  return {
    rights: rights.filter(({ right }) => unknown.includes(right)),
    flags: flags.filter(({ key }) => !known.includes(key)),
  };
}
