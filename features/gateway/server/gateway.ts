import { sql } from 'kysely';
import type { Core } from '#server/core.ts';
import type { Reader, Database } from '#server/platform/database/database.ts';
import type { Registered, Upstream } from '#server/config-upstreams.ts';
import type { Logger } from '#server/platform/log/logger.ts';
import { unknownRights, readCatalogueRight } from '#features/permissions/server/rules.store.ts';
import { fullName } from '#features/directory/server/people-names.ts';
import { holdsRight } from '#features/permissions/server/right-holders.ts';
import { recordAudit, type Actor } from '#features/audit/server/audit.store.ts';
import { addFlag, readArchivedFlags, readFlags } from '#features/flags/server/flags.store.ts';
import { addRight } from '#features/permissions/server/change-catalogue.ts';
import { createAdmission, type AdmissionParts } from './admission.ts';
import { createAnswers, type GatewayPages } from './answers.ts';
import { createAuthCheck } from './auth-check.ts';
import { createForwarding } from './forwarding.ts';
import { createOpenStreams } from './open-streams.ts';

const actor: Actor = { kind: 'start', id: null, name: 'UPSTREAMS_FILE' };

const mostNames = 3;

type GatewayParts = AdmissionParts & {
  maintenance: {
    gate(): { mode: 'off' | 'read-only' | 'full' };
    onChange(listener: () => void): void;
  };
  webPages: GatewayPages;
  identityProvider: { setUp: { isOpen(): Promise<boolean> } };
};

/** The applications behind Portico (GATE-1): what they register, the way to them, and what operators see of it. */
export async function createGateway(core: Core, parts: GatewayParts) {
  const { config, database, feed, logger, clock } = core;
  const { maintenance } = parts;
  const { upstreams } = config;
  const isClosed = (): boolean => maintenance.gate().mode === 'full';
  await registerApplications(database, logger, config.registered);
  const unknown = await unknownRights(database.read, rightsOfRules(upstreams));
  if (unknown.length > 0)
    logger.warn({ rights: unknown }, 'rules of applications take rights that are in no catalogue');

  const streams = createOpenStreams(feed, logger);
  core.metrics.add({
    name: 'portico_gateway_streams',
    help: 'WebSockets, streams and long requests of applications that are open.',
    type: 'gauge',
    of: 'process',
    read: () => streams.size,
  });
  const admission = createAdmission(core, parts);
  const authCheck = createAuthCheck(core, admission.admit);
  const answers = createAnswers({
    pages: parts.webPages,
    securityHeaders: core.securityHeaders,
    isClosed,
    describeRight: (right) => describeRight(database.read, right, clock.now()),
  });
  const forwarding = createForwarding({
    config,
    logger,
    metrics: core.metrics,
    streams,
    watchBody: core.watchBody,
    admission,
    answers,
    setUpIsOpen: async () => config.oidc === null && parts.identityProvider.setUp.isOpen(),
  });
  maintenance.onChange(() => {
    if (isClosed()) streams.closeForMaintenance();
  });
  return {
    handle: forwarding.handle,
    upgrade: forwarding.upgrade,
    refuse: answers.refuse,
    redirect: answers.redirect,
    askToSignIn: answers.askToSignIn,
    /** The answer to a proxy's check that passes by cached data alone, or null: the route answers the check. */
    checkAnswer: authCheck.find,
    openStreams: () => streams.size,
    check: authCheck.check,
    endStreams: streams.close,
    close: forwarding.close,
  };
}

/** The label of a right, and the names of some people who can grant it, without their addresses. */
async function describeRight(
  read: Reader,
  right: string,
  now: number,
): Promise<{ label: string; whom: string[] }> {
  const known = await readCatalogueRight(read, right);
  const people = await read
    .selectFrom('person')
    .innerJoin('profile', 'profile.person_id', 'person.id')
    .select(['profile.first_name', 'profile.last_name'])
    .where('person.blocked_at', 'is', null)
    .where(holdsRight(sql.ref<string>('person.id'), 'PEOPLE_WRITE', now))
    .orderBy('profile.name_key')
    .limit(mostNames)
    .execute();
  return {
    label: known === null || known.label === '' ? right : known.label,
    whom: people.map(fullName).filter((name) => name !== ''),
  };
}

/**
 * Adds the rights and flags that applications register (GATE-4) and that are not there yet. What is there stays as
 * it is: operators may have changed a description or switched a flag, and what they removed from the file may be in
 * use.
 */
async function registerApplications(
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
      const after = await addFlag(change, draft, actor);
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
  // An archived flag has its key still.
  const stored = flags.length === 0 ? [] : [...(await readFlags(read)), ...(await readArchivedFlags(read))];
  const known = stored.map(({ key }) => key);
  return {
    rights: rights.filter(({ right }) => unknown.includes(right)),
    flags: flags.filter(({ key }) => !known.includes(key)),
  };
}

/** Every right that a rule requires, each once. */
export function rightsOfRules(upstreams: readonly Upstream[]): string[] {
  const rights = upstreams.flatMap(({ rules }) => rules.map(({ right }) => right));
  return [...new Set(rights.filter((right) => right !== null))];
}
