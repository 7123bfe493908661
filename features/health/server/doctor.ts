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
  type Found,
  type Opened,
} from './doctor-proxy.ts';

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
  'sign-in': () => ['ok', 'People sign in at the embedded provider.'],
};

function onOpened(look: (opened: Opened) => Promise<Found>) {
  return ({ opened }: Patient): Promise<Found> | null => opened && look(opened);
}

/**
 * Runs one check, and says what to do about its result. Changes nothing, shows no secret, and does not throw.
 *
 * @returns no step where the check does not apply, several steps for an outside provider
 */
export async function examine(check: Check, patient: Patient): Promise<Step[]> {
  const name = checkNames[check];
  const { oidc, publicUrl } = patient.config;
  if (check === 'sign-in' && oidc !== null) {
    const { steps } = await providerReport(oidc, publicUrl);
    return steps.map((step) => ({ ...step, name: `${name}: ${step.name}` }));
  }
  const found = await Promise.resolve()
    .then(() => looks[check](patient))
    .catch((error: unknown): Found => ['failed', sentence(reasonOf(error))]);
  return found === null ? [] : [{ name, outcome: found[0], message: found[1] }];
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
  const doubts = [
    ...(protocol === 'http:' && !isLocal
      ? ['PUBLIC_URL is http: passwords and cookies travel readable. Let a proxy serve https.']
      : []),
    ...(rateLimitScale > 1
      ? [`RATE_LIMIT_SCALE is ${rateLimitScale}: guesses at passwords are slowed down less.`]
      : []),
    ...(metrics !== null && metrics.token === null && !/^(?:127\.|::1|localhost)/.test(metrics.host)
      ? ['METRICS_HOST is open without METRICS_TOKEN: whoever reaches the port reads the figures.']
      : []),
  ];
  return doubts.length === 0
    ? ['ok', `${publicUrl} is read as the public address.`]
    : ['warning', doubts.join(' ')];
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
  const said = `${inWords(free)} are free in ${dataDir}.`;
  if (free < least) return ['failed', `${said} Make room: without it nothing is stored.`];
  return free < little ? ['warning', `${said} Make room soon.`] : ['ok', said];
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
    if ((await store.head(name)) !== null) return ['failed', `${where} does not remove objects.`];
  } catch (error) {
    if (!(error instanceof ObjectStoreError)) throw error;
    return ['failed', `${where}: ${error.message} ${whatToDo[error.code]}`];
  }
  return ['ok', `${where} wrote, read and removed an object in ${Math.round(performance.now() - begun)} ms.`];
}

const address = 'Check the endpoint in FILES_URL.';
const whatToDo: Record<ObjectStoreProblem, string> = {
  UNREACHABLE: `${address} Files are read and written again once it answers.`,
  TIMEOUT: `${address} Files are read and written again once it answers.`,
  REFUSED: 'Check S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, and that they may read, write, list and remove.',
  NO_BUCKET: 'Make the bucket, or name another one in FILES_URL.',
  NOT_FOUND: 'What was written cannot be read: another rule of the store may remove it.',
  REDIRECTED: 'Name the address in FILES_URL to which it leads; the region may be another one.',
  WRONG_ANSWER: address,
  CHANGED: 'Something between changes what is sent.',
  FAILED: 'The documentation of the store explains the reason.',
};

/** Reads without Portico's own connection, which would bring the database of an older release up to date. */
async function database({ config: { database: location }, known, file }: Patient): Promise<Found> {
  const newest = known.at(-1);
  const begun = performance.now();
  const { version, schema, fault } =
    location.engine === 'sqlite' ? await file() : await readPostgres(location.url);
  const took = Math.round(performance.now() - begun);
  if (fault !== null)
    return ['failed', `The database is damaged: ${fault}. Restore a backup (docs/backup.md).`];
  if (schema === newest) return ['ok', `${version} answered in ${took} ms; its schema is ${schema}.`];
  const isKnown = known.includes(schema);
  return [
    'failed',
    isKnown
      ? `The database is of an older release (${schema}). Start this one, which brings it to ${newest}; make a backup before.`
      : `The database is of a newer release (${schema}; this one knows ${newest}). Use the newer release.`,
  ];
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
      if (!(await receivesNotification(client, send))) return ['failed', withoutNotifications(location)];
      const { rows } = await other.query<{ statement_timeout: string }>('show statement_timeout');
      return directUrl !== undefined && rows[0]?.statement_timeout === '0'
        ? [
            'warning',
            "Behind the pooler a long read is not ended by PostgreSQL: alter role … set statement_timeout = '30s' (docs/deploy.md).",
          ]
        : ['ok', 'A notification from one connection reached another.'];
    });
  });
}

async function clock({ database: opened, clock: own }: Opened): Promise<Found> {
  const { at } = await opened.read.selectFrom('revision').select('at').executeTakeFirstOrThrow();
  const ahead = Math.round((at - own.now()) / 1_000);
  return ahead > 5
    ? [
        'failed',
        `The last change is ${ahead} s in the future: this machine's clock is behind. Let it be set by NTP.`,
      ]
    : ['ok', 'This machine is not behind the last change.'];
}

const mailFailures: Record<MailFailure, string> = {
  refused: 'refuses Portico',
  'no-smtputf8': 'takes no letters beyond ASCII',
  unreachable: 'cannot be reached: look at SMTP_URL and the firewall',
  tls: 'has no TLS that is trusted: look at its certificate and SMTP_SECURITY',
  'sign-in': 'refuses the user or the password of SMTP_URL',
  busy: 'is busy: try again later',
  unsure: 'did not end the conversation as it should',
};

async function mail(config: Config, { database: opened, clock: own }: Opened): Promise<Found> {
  if (config.mail === null)
    return [
      'warning',
      'SMTP_HOST and MAIL_FROM are not set: links for invitations are shown instead of sent.',
    ];
  const transport = createMailTransport(config.mail, { publicUrl: config.publicUrl });
  const failure = await transport.check();
  transport.close();
  const server = `${config.mail.host}:${config.mail.port}`;
  if (failure !== null) return ['failed', `The mail server ${server} ${mailFailures[failure]}.`];
  const failing = await failingMail(opened.read, own.now());
  return failing === null
    ? ['ok', `The mail server ${server} takes mail of this installation.`]
    : ['warning', `The mail server ${server} answers, but did not take ${failing.count} mails.`];
}

async function webhooks({ database: opened }: Opened): Promise<Found> {
  const failing = await failingWebhooks(opened.read);
  if (failing.length === 0) return ['ok', 'No webhook failed last.'];
  const names = failing.map(({ name, status }) => `${name} (${status ?? 'no answer'})`);
  return [
    'warning',
    `The last message did not arrive: ${names.join(', ')}. Their logs stand under Webhooks.`,
  ];
}

async function backup({ database: opened, clock: own }: Opened): Promise<Found> {
  const byHand = await opened.read
    .selectFrom('audit')
    .select((row) => row.fn.max('at').as('at'))
    .where('action', '=', 'backup.create')
    .executeTakeFirst();
  const last = Math.max(byHand?.at ?? 0, (await lastGood(opened.read)) ?? 0);
  const advice = 'Let Portico make one daily (docs/backup.md).';
  if (last === 0)
    return opened.engine === 'postgres'
      ? ['ok', 'Portico makes no backup here, and does not see those of pg_dump (docs/backup.md).']
      : ['warning', `No backup has been made. ${advice}`];
  const said = `The last backup is of ${new Date(last).toISOString()}.`;
  return own.now() - last > backupOldMs ? ['warning', `${said} ${advice}`] : ['ok', said];
}

const sentence = (reason: string) => (/[.!?]$/.test(reason) ? reason : `${reason}.`);
