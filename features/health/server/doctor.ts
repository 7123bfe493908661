import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import pg from 'pg';
import { backupOldMs } from '#features/backup/contract/backups.ts';
import { lastGood } from '#features/backup/server/backups.store.ts';
import { inWords } from '#features/backup/server/copy-content.ts';
import type { Check } from '#features/health/contract/doctor.ts';
import { failingMail } from '#features/mail/server/mail.store.ts';
import { createMailTransport, type MailFailure } from '#features/mail/server/transport.ts';
import {
  checkProvider,
  type ProviderReport,
  type Step,
} from '#features/outside-provider/server/check-provider.ts';
import {
  clientAuthWays,
  refusesClient,
  showCredentials,
} from '#features/session/server/client-authentication.ts';
import { acceptedAlgorithms } from '#features/session/server/provider-tokens.ts';
import { callbackPath } from '#features/session/server/session.ts';
import { backChannelLogout } from '#features/session/contract/session.ts';
import { failingWebhooks } from '#features/webhooks/server/webhooks.store.ts';
import type { Config, OutsideProviderSettings } from '#server/config.ts';
import type { PostgresLocation } from '#server/platform/database/database.ts';
import { receivesNotification, withoutNotifications } from '#server/platform/database/postgres.ts';
import { newId } from '#server/platform/keys/ids.ts';
import {
  ObjectStoreError,
  type ObjectStoreProblem,
} from '#server/platform/object-store/object-store-error.ts';
import { createObjectStore, type ObjectStoreOptions } from '#server/platform/object-store/object-store.ts';
import { systemClock } from '#server/platform/time/clock.ts';
import {
  answerMs,
  headers,
  largeBodies,
  reasonOf,
  server,
  streams,
  webSockets,
  type Opened,
} from './doctor-proxy.ts';
import { found, foundInEnglish, type Found, type Sentence } from './findings.ts';

const little = 1_000_000_000;
const least = 200_000_000;

/** What the checks examine. */
export type Patient = {
  config: Config;
  /** The names of the migrations that this release knows, in their order. */
  known: readonly string[];
  /** Reads the facts about SQLite's file. */
  file(): Promise<FileFound>;
  /** Null where the checks must not open the database. */
  opened: Opened | null;
};
export type FileFound = { version: string; schema: string; fault: string | null };

export const checkNames: Record<Check, string> = {
  configuration: 'Configuration',
  disk: 'Disk',
  'object-store': 'Object store',
  database: 'Database',
  notifications: 'Notifications',
  clock: 'Clock',
  mail: 'Mail',
  webhooks: 'Webhooks',
  backup: 'Backup',
  server: 'Server',
  headers: 'Headers',
  bodies: 'Large bodies',
  streams: 'Streams',
  websockets: 'WebSockets',
  'sign-in': 'Sign-in',
};

/** A check returns null where it does not apply. A check that throws has failed. */
const looks: Record<Check, (patient: Patient) => Promise<Found | null> | Found | null> = {
  configuration: ({ config }) => configuration(config),
  disk: ({ config }) => disk(config.dataDir),
  'object-store': ({ config: { files } }) => files && objectStore(files),
  database,
  notifications: ({ config: { database: location } }) =>
    location.engine === 'postgres' ? notifications(location) : null,
  clock: onOpened(clock),
  mail: ({ config, opened }) => opened && mail(config, opened),
  webhooks: onOpened(webhooks),
  backup: onOpened(backup),
  server: ({ config }) => server(config),
  headers: ({ config }) => headers(config),
  bodies: ({ config }) => largeBodies(config),
  streams: ({ config, opened }) => opened && streams(config, opened),
  websockets: ({ config }) => (config.upstreams.length === 0 ? null : webSockets(config)),
  'sign-in': () => found('ok', 'SIGN_IN'),
};

function onOpened(look: (opened: Opened) => Promise<Found>) {
  return ({ opened }: Patient): Promise<Found> | null => opened && look(opened);
}

/**
 * Runs one check, and says what to do about its result. Changes nothing, shows no secret, and does not throw.
 *
 * @returns no step where the check does not apply, several steps for an outside provider
 */
export async function examine(check: Check, patient: Patient): Promise<(Found & Step)[]> {
  const name = checkNames[check];
  const { oidc, publicUrl } = patient.config;
  if (check === 'sign-in' && oidc !== null) {
    const { steps } = await providerReport(oidc, publicUrl);
    return steps.map((step) => ({ ...step, name: `${name}: ${step.name}`, findings: [] }));
  }
  const result = await Promise.resolve()
    .then(() => looks[check](patient))
    .catch((error: unknown) => foundInEnglish('failed', sentence(reasonOf(error))));
  return result === null ? [] : [{ name, ...result }];
}

/** What the connection to the provider lacks. */
export function providerReport(
  settings: OutsideProviderSettings,
  publicUrl: string,
): Promise<ProviderReport> {
  return checkProvider({
    settings,
    publicUrl,
    callbackPath,
    backChannelPath: backChannelLogout.path,
    acceptedAlgorithms,
    clientAuthentication: {
      ways: (wanted, metadata) => clientAuthWays(wanted, metadata, settings),
      show: (way, metadata, body, headers) => showCredentials(way, settings, metadata, body, headers),
      isRefusal: refusesClient,
    },
    clock: systemClock,
  });
}

function configuration({ publicUrl, metrics, rateLimitScale }: Config): Found {
  const { protocol, hostname } = new URL(publicUrl);
  const isLocal = /^(?:localhost|.*\.localhost|127\..*|\[::1\])$/.test(hostname);
  const doubts: Sentence[] = [
    ...(protocol === 'http:' && !isLocal ? (['PUBLIC_HTTP'] as const) : []),
    ...(rateLimitScale > 1 ? [['RATE_LIMIT', { scale: rateLimitScale }] as const] : []),
    ...(metrics !== null && metrics.token === null && !/^(?:127\.|::1|localhost)/.test(metrics.host)
      ? (['METRICS_OPEN'] as const)
      : []),
  ];
  return doubts.length === 0
    ? found('ok', ['CONFIGURATION', { url: publicUrl }])
    : found('warning', ...doubts);
}

async function disk(dataDir: string): Promise<Found> {
  const probe = mkdtempSync(join(dataDir, 'doctor-'));
  try {
    writeFileSync(join(probe, 'written'), 'x');
  } finally {
    rmSync(probe, { recursive: true });
  }
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const room = ['DISK', { free: inWords(free), folder: dataDir }] as const;
  if (free < least) return found('failed', room, 'DISK_FULL');
  return free < little ? found('warning', room, 'DISK_LOW') : found('ok', room);
}

/** Writes, reads and removes an object, as Portico does with files. */
async function objectStore(location: ObjectStoreOptions): Promise<Found> {
  const store = createObjectStore({ timeoutMs: answerMs, ...location });
  const where = `${location.bucket} at ${location.endpoint}`;
  const name = `doctor/${newId()}`;
  const bytes = randomBytes(1_000);
  const begun = performance.now();
  try {
    const { sha256 } = await store.put(name, Readable.from([bytes]));
    for await (const _bytes of await store.get(name, { sha256 })) continue;
    await store.delete(name);
    if ((await store.head(name)) !== null) return found('failed', ['STORE_KEEPS', { where }]);
  } catch (error) {
    if (!(error instanceof ObjectStoreError)) throw error;
    return found('failed', ['STORE_ERROR', { where, reason: error.message }], whatToDo[error.code]);
  }
  return found('ok', ['STORE', { where, ms: Math.round(performance.now() - begun) }]);
}

const whatToDo: Record<ObjectStoreProblem, Sentence> = {
  UNREACHABLE: 'STORE_UNREACHABLE',
  TIMEOUT: 'STORE_UNREACHABLE',
  REFUSED: 'STORE_REFUSED',
  NO_BUCKET: 'STORE_NO_BUCKET',
  NOT_FOUND: 'STORE_NOT_FOUND',
  REDIRECTED: 'STORE_REDIRECTED',
  WRONG_ANSWER: 'STORE_WRONG_ANSWER',
  CHANGED: 'STORE_CHANGED',
  FAILED: 'STORE_FAILED',
};

/** Reads without Portico's own connection, which would bring the database of an older release up to date. */
async function database({ config: { database: location }, known, file }: Patient): Promise<Found> {
  const newest = known.at(-1) ?? '';
  const begun = performance.now();
  const { version, schema, fault } =
    location.engine === 'sqlite' ? await file() : await readPostgres(location.url);
  const ms = Math.round(performance.now() - begun);
  if (fault !== null) return found('failed', ['DATABASE_DAMAGED', { fault }]);
  if (schema === newest) return found('ok', ['DATABASE', { version, ms, schema }]);
  return found('failed', [known.includes(schema) ? 'DATABASE_OLDER' : 'DATABASE_NEWER', { schema, newest }]);
}

export const newestMigration = 'select name from kysely_migration order by name desc limit 1';

async function readPostgres(url: string): Promise<FileFound> {
  return onPostgres(url, async (client) => {
    const one = async (sql: string) => String(Object.values((await client.query(sql)).rows[0] as object)[0]);
    return {
      version: `PostgreSQL ${await one('show server_version')}`,
      schema: await one(newestMigration),
      fault: null,
    };
  });
}

async function onPostgres<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Listens as the change feed does, and sends as a change does. */
function notifications(location: PostgresLocation): Promise<Found> {
  const { url, directUrl } = location;
  return onPostgres(directUrl ?? url, async (client) => {
    await client.query('listen portico');
    return onPostgres(url, async (other) => {
      const send = (payload: string) => other.query("select pg_notify('portico', $1)", [payload]);
      if (!(await receivesNotification(client, send)))
        return foundInEnglish('failed', withoutNotifications(location));
      const { rows } = await other.query<{ statement_timeout: string }>('show statement_timeout');
      return directUrl !== undefined && rows[0]?.statement_timeout === '0'
        ? found('warning', 'NOTIFICATIONS_POOLER')
        : found('ok', 'NOTIFICATIONS');
    });
  });
}

async function clock({ database: opened, clock: own }: Opened): Promise<Found> {
  const { at } = await opened.read.selectFrom('revision').select('at').executeTakeFirstOrThrow();
  const ahead = Math.round((at - own.now()) / 1_000);
  return ahead > 5 ? found('failed', ['CLOCK_BEHIND', { seconds: ahead }]) : found('ok', 'CLOCK');
}

const mailFailures = {
  refused: 'MAIL_REFUSED',
  'no-smtputf8': 'MAIL_NO_SMTPUTF8',
  unreachable: 'MAIL_UNREACHABLE',
  tls: 'MAIL_TLS',
  'sign-in': 'MAIL_SIGN_IN',
  busy: 'MAIL_BUSY',
  unsure: 'MAIL_UNSURE',
} as const satisfies Record<MailFailure, Sentence>;

async function mail(config: Config, { database: opened, clock: own }: Opened): Promise<Found> {
  if (config.mail === null) return found('warning', 'MAIL_UNSET');
  const transport = createMailTransport(config.mail, { publicUrl: config.publicUrl });
  const failure = await transport.check();
  transport.close();
  const server = `${config.mail.host}:${config.mail.port}`;
  if (failure !== null) return found('failed', [mailFailures[failure], { server }]);
  const failing = await failingMail(opened.read, own.now());
  return failing === null
    ? found('ok', ['MAIL', { server }])
    : found('warning', ['MAIL_FAILING', { server, number: failing.count }]);
}

async function webhooks({ database: opened }: Opened): Promise<Found> {
  const failing = await failingWebhooks(opened.read);
  if (failing.length === 0) return found('ok', 'WEBHOOKS');
  const names = failing.map(({ name, status }) => (status === null ? name : `${name} (${status})`));
  return found('warning', ['WEBHOOKS_FAILING', { names: names.join(', ') }]);
}

async function backup({ database: opened, clock: own }: Opened): Promise<Found> {
  const byHand = await opened.read
    .selectFrom('audit')
    .select((row) => row.fn.max('at').as('at'))
    .where('action', '=', 'backup.create')
    .executeTakeFirst();
  const last = Math.max(byHand?.at ?? 0, (await lastGood(opened.read)) ?? 0);
  if (last === 0)
    return opened.engine === 'postgres'
      ? found('ok', 'BACKUP_ELSEWHERE')
      : found('warning', 'BACKUP_NONE', 'BACKUP_ADVICE');
  const latest = ['BACKUP', { time: new Date(last).toISOString() }] as const;
  return own.now() - last > backupOldMs ? found('warning', latest, 'BACKUP_ADVICE') : found('ok', latest);
}

const sentence = (reason: string) => (/[.!?]$/.test(reason) ? reason : `${reason}.`);
