import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type * as z from 'zod/mini';
import type { ClaimPath } from './config-claim-paths.ts';
import { onlyUpstream, readUpstreams, type UpstreamsFile } from './config-upstreams.ts';
import { variables, type MailServer, type MailSettings, type Variable } from './config-variables.ts';
import type { DatabaseLocation } from './platform/database/database.ts';
import type { ObjectStoreLocation } from './platform/object-store/object-store-location.ts';
import type { ObjectStoreOptions } from './platform/object-store/object-store.ts';
import { createHosts, hostsOf } from './platform/http/hosts.ts';

/**
 * Everything that can be set from outside, typed. Made once, by `readConfig`, from the environment (START-5).
 */
export type Config = {
  host: string;
  port: number;
  /** Scheme and host that browsers use, without a slash at the end. */
  origin: string;
  /** The path below which everything of Portico's is: '' or such as `/portico`, without a slash at the end. */
  basePath: string;
  /** `origin` and `basePath` together, to which paths are appended. */
  publicUrl: string;
  /** The applications behind the gateway; none: everything is Portico's (GATE-1). */
  upstreams: UpstreamsFile['upstreams'];
  /** The rights and flags that they register (GATE-4). */
  registered: UpstreamsFile['registered'];
  dataDir: string;
  database: DatabaseLocation;
  /** Starts even if the last change in the database lies in the future, and dates changes by the clock again. */
  allowClockBehind: boolean;
  production: boolean;
  /** The hosts for which browsers are to use https alone, where the public URL is https. */
  strictTransport: 'host' | 'subdomains';
  /** Whose forwarded addresses count: false, a number of hops, or addresses and ranges. */
  trustProxy: false | number | string[];
  /** Further names and addresses at which programs reach the installation, such as that of a Kubernetes service. */
  internalHosts: string[];
  /** Secrets by which proxies prove who they are at /auth/check; several while one replaces another (GATE-9). */
  authCheckSecrets: string[];
  /** The header, in lower case, in which such a proxy names the original request; null: any of the known headers. */
  authCheckHeader: string | null;
  localFlags: string[];
  /** Another GrowthBook host whose flags are used instead of Portico's own, or null. */
  flagsHost: { host: string; clientKey: string; remoteEval: boolean } | null;
  /** The map server behind `/geoserver`; `single`: every service is at this one address. */
  geoserver: { url: URL; single: boolean } | null;
  geoserverDevelopUrl: string | null;
  /** Origins whose pages may send bug reports (BUG-4). */
  feedbackOrigins: string[];
  /** Whether people who are not signed in may send bug reports (BUG-6). */
  feedbackWithoutSignIn: boolean;
  /** Where the web sends its errors (DIAG-1): here, nowhere, or to the project of this DSN. */
  faults: 'own' | 'off' | { dsn: string };
  /** The first operator, whom the server creates unattended; or null. */
  operator: { email: string; password: string } | null;
  /** The API token with which the command line calls another installation, such as for source maps; or null. */
  apiToken: string | null;
  /** Another OpenID Connect provider that people sign in at, or null: the embedded one (SES-4). */
  oidc: OutsideProviderSettings | null;
  /** How invitations and links for a new password are sent, or null: they are shown instead (SES-3). */
  mail: MailSettings | null;
  sessionIdleMs: number;
  sessionMaxMs: number;
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'silent';
  /** Where each entry of the audit also goes as a line of JSON, or null: nowhere (AUD-1). */
  auditLog: 'stdout' | { file: string } | null;
  /** Who may read metrics, and where (RUN-6); null: no one, and nothing is measured. */
  metrics: MetricsSettings | null;
  /** Settings of automatic backups that are fixed here (RUN-7); null: as set on the screen. */
  backup: {
    folder: string | null;
    time: string | null;
    zone: string | null;
    keep: number | null;
    verifyWeekly: boolean | null;
    /** Encrypts the backups; null: they are not encrypted. */
    passphrase: string | null;
  };
  /** The object store that `BACKUP_FOLDER` names; null: it names none. */
  backupStore: ObjectStoreOptions | null;
  /** Where files are stored (STORE-2); null: in the data folder, or in PostgreSQL. */
  files: ObjectStoreOptions | null;
  /** Multiplies every rate limit; 1 for people, more for load tests. */
  rateLimitScale: number;
  /** How long a stopping process serves with `/readyz` 503, so that load balancers stop using it (RUN-2). */
  stopDelayMs: number;
};

export type MetricsSettings = {
  /** A port of its own for `/metrics`, or null: on the port of everything else. */
  port: number | null;
  host: string;
  /** The token that a scrape has to send, at either port; null: no token, and only the separate port answers. */
  token: string | null;
};

/** The company's own OpenID Connect provider, and what its claims are called. */
export type OutsideProviderSettings = {
  /** Exactly as the provider writes it into its tokens. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** How the secret is sent to the provider; `auto`: as its metadata names it. */
  clientAuth: 'auto' | 'basic' | 'post' | 'private_key_jwt';
  /** Portico's private key, for `private_key_jwt` and for tokens that are encrypted to Portico. */
  clientKey: KeyObject | null;
  /** Pushes authorization requests to the provider (RFC 9126), even where the provider does not require that. */
  pushesRequests: boolean;
  /** What names the person at the provider's sign-out: the ID token, or nothing. */
  signOutHint: 'id_token' | 'none';
  scope: string;
  /** What people call it, such as the company's name; null: its host. */
  label: string | null;
  claims: {
    /** Claim paths of the full name; null: the standard claims of the name. */
    name: ClaimPath[] | null;
    email: ClaimPath[];
    roles: ClaimPath[];
    groups: ClaimPath[];
  };
  /** Where the claims stand; `auto` asks the userinfo endpoint for what the ID token lacks. */
  claimsFrom: 'auto' | 'id_token' | 'userinfo';
  /** Null: dangerous steps ask for no proof (SES-13). */
  stepUp: {
    /** A sign-in proves who the person is only if the claim `acr` has one of these values; empty: any value. */
    acrValues: readonly string[];
  } | null;
  /** As long as there is no operator, the person who signs in with this verified address becomes one; or null. */
  operatorEmail: string | null;
  /** How long the provider may take to answer. */
  timeoutMs: number;
};

/** A bad value: one line that names the variable, its value and what is expected. */
export class ConfigError extends Error {
  constructor(name: string, value: string | undefined, expected: string) {
    super(
      `${name} ${value === undefined ? 'is not set' : `holds ${JSON.stringify(value)}`}; expected ${expected}.`,
    );
    this.name = 'ConfigError';
  }
}

type Name = keyof typeof variables;
type Environment = Record<string, string | undefined>;

type Values = { [N in Name]: z.output<(typeof variables)[N]['schema']> };

type Given = ReturnType<typeof given>;

function given(environment: Environment) {
  return {
    /** A variable's value as its schema reads it; undefined where it is not set. Throws ConfigError. */
    read: <N extends Name>(name: N, variable: Variable<unknown> = variables[name]) =>
      parse(name, valueOf(environment, name), variable) as Values[N] | undefined,
    /** The first of these variables that is set. */
    first: (...names: readonly Name[]) => names.find((name) => valueOf(environment, name) !== undefined),
    /** The file that holds a variable's value, or the variable. */
    sourceOf: (name: Name) => (environment[name] ? name : `${name}_FILE ${environment[`${name}_FILE`]}`),
  };
}

/**
 * Reads the configuration.
 *
 * @param atTerminal whether a person watches: the log then holds warnings only and a stop has no delay,
 *   unless `LOG_LEVEL` and `STOP_DELAY` are set
 * @throws ConfigError on the first bad value
 */
export function readConfig(environment: Environment = process.env, { atTerminal = false } = {}): Config {
  const all = given(environment);
  const { read } = all;

  const port = read('PORT') ?? 3000;
  const backupFolder = read('BACKUP_FOLDER');
  const mode = read('NODE_ENV') ?? 'production';
  const behind = upstreams(all);
  const { origin, basePath } = place(all, port, behind.upstreams.length > 0 ? '/portico' : '');
  const publicUrl = `${origin}${basePath}`;
  const others = hostsOf(behind.upstreams);
  const { originOf } = createHosts({ origin, others, trustProxy: false });
  const insecureAllowed = read('ALLOW_INSECURE_PUBLIC_URL') ?? false;
  if (mode === 'production' && !insecureAllowed && !isSecure(publicUrl)) {
    throw new ConfigError(
      'PUBLIC_URL',
      publicUrl,
      'an https address (or localhost) while NODE_ENV is production; ALLOW_INSECURE_PUBLIC_URL=true allows it all the same',
    );
  }
  const dataDir = read('DATA_DIR') ?? resolve('./data');
  const oidc = outsideProvider(all, mode !== 'production' || insecureAllowed);
  return {
    host: read('HOST') ?? '127.0.0.1',
    port,
    origin,
    basePath,
    publicUrl,
    ...behind,
    dataDir,
    database: database(all) ?? { engine: 'sqlite', dataDir },
    allowClockBehind: read('ALLOW_CLOCK_BEHIND') ?? false,
    production: mode !== 'development',
    strictTransport: read('HSTS_INCLUDE_SUBDOMAINS') === true ? 'subdomains' : 'host',
    trustProxy: read('TRUST_PROXY') ?? false,
    internalHosts: read('INTERNAL_HOSTS') ?? [],
    authCheckSecrets: read('AUTH_CHECK_SECRET') ?? [],
    authCheckHeader: read('AUTH_CHECK_HEADER') ?? null,
    localFlags: [...new Set(read('LOCAL_FLAGS'))],
    flagsHost: flagsHost(all),
    geoserver: read('GEOSERVER_URL') ?? null,
    geoserverDevelopUrl: read('GEOSERVER_DEVELOP_URL') ?? null,
    feedbackOrigins: [...new Set(read('FEEDBACK_ORIGINS') ?? [origin, ...others.map(originOf)])],
    feedbackWithoutSignIn: read('FEEDBACK_WITHOUT_SIGN_IN') ?? false,
    faults: faults(all),
    apiToken: read('PORTICO_TOKEN') ?? null,
    operator: oidc === null ? operator(all) : null,
    oidc,
    mail: mail(all),
    sessionIdleMs: (read('SESSION_IDLE_HOURS') ?? 12) * 3_600_000,
    sessionMaxMs: (read('SESSION_MAX_DAYS') ?? 7) * 86_400_000,
    logLevel: read('LOG_LEVEL') ?? (atTerminal ? 'warn' : 'info'),
    auditLog: read('AUDIT_LOG') ?? null,
    metrics: metrics(all, port),
    backup: {
      folder: backupFolder?.text ?? null,
      time: read('BACKUP_TIME') ?? null,
      zone: read('BACKUP_ZONE') ?? null,
      keep: read('BACKUP_KEEP') ?? null,
      verifyWeekly: read('BACKUP_VERIFY_WEEKLY') ?? null,
      passphrase: read('BACKUP_PASSPHRASE') ?? null,
    },
    backupStore: objectStore(all, 'BACKUP_FOLDER', backupFolder?.store),
    files: objectStore(all, 'FILES_URL', read('FILES_URL')),
    rateLimitScale: read('RATE_LIMIT_SCALE') ?? 1,
    // At a terminal a person waits, and no balancer stands before it.
    stopDelayMs: (read('STOP_DELAY') ?? (atTerminal ? 0 : 5)) * 1_000,
  };
}

function database({ read, first }: Given): DatabaseLocation | null {
  const [url, directUrl] = [read('DATABASE_URL'), read('DATABASE_DIRECT_URL')];
  if (url !== undefined)
    return { engine: 'postgres', url, ...(directUrl === undefined ? {} : { directUrl }) };
  if (first('DATABASE_DIRECT_URL') !== undefined)
    missing('DATABASE_URL', `${variables.DATABASE_URL.expected}, since DATABASE_DIRECT_URL is set`);
  return null;
}

/** Where browsers find Portico. The path may stand in either variable; in both it must be the same. */
function place({ read }: Given, port: number, usual: string): Pick<Config, 'origin' | 'basePath'> {
  const { origin, path } = read('PUBLIC_URL') ?? { origin: `http://localhost:${port}`, path: '' };
  const basePath = read('BASE_PATH') ?? (path || usual);
  if (path !== '' && path !== basePath)
    throw new ConfigError('BASE_PATH', basePath, `${path}, since PUBLIC_URL ends with that, or nothing`);
  return { origin, basePath };
}

function parse<T>(name: Name, value: string | undefined, variable: Variable<T>): T | undefined {
  if (value === undefined) return undefined;
  const parsed = variable.schema.safeParse(value);
  if (!parsed.success) throw new ConfigError(name, shown(name, value), variable.expected);
  return parsed.data;
}

function valueOf(environment: Environment, name: Name): string | undefined {
  const direct = environment[name] || undefined;
  const file = environment[`${name}_FILE`] || undefined;
  if (file === undefined) return direct;
  if (direct !== undefined) {
    throw new ConfigError(name, shown(name, direct), `only one of ${name} and ${name}_FILE`);
  }
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '') || undefined;
  } catch {
    throw new ConfigError(`${name}_FILE`, file, 'the path of a file that can be read');
  }
}

/** The value as an error may repeat it. */
function shown(name: Name, value: string): string {
  if ((variables[name] as Variable<unknown>).secret === true) return '(a secret)';
  return URL.canParse(value) && new URL(value).password !== '' ? '(an address with a password)' : value;
}

function missing(name: Name, expected: string): never {
  throw new ConfigError(name, undefined, expected);
}

/** SMTP_URL, or its parts one by one; half of it is a mistake, since no mail would ever arrive. */
function mail(all: Given): MailSettings | null {
  const { read, first } = all;
  const parts = ['SMTP_HOST', 'SMTP_PORT', 'SMTP_USER', 'SMTP_PASSWORD'] as const;
  const hasUrl = first('SMTP_URL') !== undefined;
  const part = first(...parts);
  if (hasUrl && part !== undefined)
    throw new ConfigError('SMTP_URL', '(a secret)', `nothing, since ${part} is set`);
  if (!hasUrl && first('SMTP_HOST') === undefined) {
    const stray = first(...parts, 'SMTP_SECURITY', 'MAIL_FROM');
    if (stray !== undefined) missing('SMTP_HOST', `the name of the mail server, since ${stray} is set`);
    return null;
  }
  const server = read('SMTP_URL') ?? mailServer(all);
  const security = read('SMTP_SECURITY') ?? (server.tls || server.port === 465 ? 'tls' : 'starttls');
  if (server.tls && security !== 'tls')
    throw new ConfigError('SMTP_SECURITY', security, 'tls, since SMTP_URL begins with smtps:');
  const { host, auth, port = security === 'tls' ? 465 : 587 } = server;
  const from =
    read('MAIL_FROM') ?? missing('MAIL_FROM', `${variables.MAIL_FROM.expected}, since mail is sent`);
  return { host, port, security, auth, from };
}

function mailServer({ read }: Given): MailServer {
  const host = read('SMTP_HOST') ?? '';
  const [user, password] = [read('SMTP_USER'), read('SMTP_PASSWORD')];
  if (user === undefined && password !== undefined)
    missing('SMTP_USER', 'the user at the mail server, since SMTP_PASSWORD is set');
  if (user !== undefined && password === undefined)
    missing('SMTP_PASSWORD', 'the password at the mail server, since SMTP_USER is set');
  const auth = user === undefined || password === undefined ? null : { user, password };
  return { host, port: read('SMTP_PORT'), auth, tls: false };
}

/** UPSTREAM_URL, or the list in UPSTREAMS_FILE. */
function upstreams({ read, first, sourceOf }: Given): UpstreamsFile {
  const url = read('UPSTREAM_URL');
  const text = read('UPSTREAMS');
  const registered = { rights: [], flags: [] };
  if (text === undefined)
    return { upstreams: url === undefined ? [] : [onlyUpstream(new URL(url))], registered };
  const source = sourceOf('UPSTREAMS');
  if (first('UPSTREAM_URL') !== undefined)
    throw new ConfigError('UPSTREAM_URL', url, `nothing, since ${source} lists the applications`);
  const found = readUpstreams(text);
  if ('expected' in found) throw new ConfigError(`${source} at ${found.at}`, found.found, found.expected);
  return found;
}

function flagsHost({ read, first }: Given): Config['flagsHost'] {
  const host = read('FLAGS_HOST');
  if (host === undefined) {
    if (first('FLAGS_CLIENT_KEY') === undefined) return null;
    missing('FLAGS_HOST', 'the origin of the flag host, since FLAGS_CLIENT_KEY is set');
  }
  const clientKey = read('FLAGS_CLIENT_KEY') ?? missing('FLAGS_CLIENT_KEY', 'the client key at FLAGS_HOST');
  return { host, clientKey, remoteEval: read('FLAGS_REMOTE_EVAL') ?? false };
}

function metrics({ read, first }: Given, mainPort: number): MetricsSettings | null {
  const port = read('METRICS_PORT') ?? null;
  const token = read('METRICS_TOKEN') ?? null;
  if (port === null && first('METRICS_HOST') !== undefined)
    missing('METRICS_PORT', 'the port of the metrics, since METRICS_HOST is set');
  if (port !== null && port !== 0 && port === mainPort)
    throw new ConfigError('METRICS_PORT', String(port), 'another port than PORT');
  return port === null && token === null ? null : { port, host: read('METRICS_HOST') ?? '127.0.0.1', token };
}

function objectStore(
  { read }: Given,
  name: string,
  location: ObjectStoreLocation | null | undefined,
): ObjectStoreOptions | null {
  if (location === undefined || location === null) return null;
  const why = `since ${name} is set`;
  return {
    ...location,
    accessKey: read('S3_ACCESS_KEY_ID') ?? missing('S3_ACCESS_KEY_ID', `the access key of the store, ${why}`),
    secretKey:
      read('S3_SECRET_ACCESS_KEY') ?? missing('S3_SECRET_ACCESS_KEY', `the secret of the access key, ${why}`),
  };
}

function faults({ read }: Given): Config['faults'] {
  const dsn = read('SENTRY_DSN') ?? null;
  return dsn === null ? 'own' : dsn === 'off' ? 'off' : { dsn };
}

function operator({ read, first }: Given): Config['operator'] {
  const set = first('OPERATOR_EMAIL', 'OPERATOR_PASSWORD');
  if (set === undefined) return null;
  if (set === 'OPERATOR_PASSWORD')
    missing('OPERATOR_EMAIL', 'an email address, since OPERATOR_PASSWORD is set');
  if (first('OPERATOR_PASSWORD') === undefined)
    missing('OPERATOR_PASSWORD', 'a password, since OPERATOR_EMAIL is set');
  return { email: read('OPERATOR_EMAIL') ?? '', password: read('OPERATOR_PASSWORD') ?? '' };
}

/** What OIDC_ISSUER requires; a part that is missing is a mistake, since no one could sign in. */
function outsideProvider({ read, first }: Given, insecureAllowed: boolean): OutsideProviderSettings | null {
  const issuer = read('OIDC_ISSUER');
  if (issuer === undefined) {
    const names = Object.keys(variables) as Name[];
    const stray = first(...names.filter((name) => name.startsWith('OIDC_')));
    if (stray !== undefined) missing('OIDC_ISSUER', `the issuer of the provider, since ${stray} is set`);
    return null;
  }
  checkIssuer(issuer, insecureAllowed);
  const clientId =
    read('OIDC_CLIENT_ID') ?? missing('OIDC_CLIENT_ID', 'the client id that the provider gave to Portico');
  const clientAuth = read('OIDC_CLIENT_AUTH') ?? 'auto';
  const clientKey = read('OIDC_CLIENT_KEY') ?? null;
  const bySignature = clientAuth === 'private_key_jwt';
  if (bySignature && clientKey === null)
    missing('OIDC_CLIENT_KEY', 'the private key of Portico, since OIDC_CLIENT_AUTH is private_key_jwt');
  const clientSecret =
    read('OIDC_CLIENT_SECRET') ??
    (bySignature ? '' : missing('OIDC_CLIENT_SECRET', 'the client secret that the provider gave to Portico'));
  if (first('OPERATOR_PASSWORD') !== undefined)
    throw new ConfigError(
      'OPERATOR_PASSWORD',
      '(a secret)',
      'nothing, since OIDC_ISSUER is set: people sign in at the provider, and OPERATOR_EMAIL alone names the first operator',
    );
  return {
    issuer,
    clientId,
    clientSecret,
    clientAuth,
    clientKey,
    pushesRequests: read('OIDC_PUSHED_REQUESTS') ?? false,
    signOutHint: read('OIDC_SIGN_OUT_HINT') ?? 'id_token',
    scope: read('OIDC_SCOPE') ?? 'openid profile email',
    label: read('OIDC_LABEL') ?? null,
    claims: {
      name: read('OIDC_CLAIM_NAME') ?? null,
      email: read('OIDC_CLAIM_EMAIL') ?? [['email']],
      roles: read('OIDC_CLAIM_ROLES') ?? [['roles']],
      groups: read('OIDC_CLAIM_GROUPS') ?? [['groups']],
    },
    claimsFrom: read('OIDC_ROLES_FROM') ?? 'auto',
    stepUp: read('OIDC_STEP_UP') === 'off' ? null : { acrValues: read('OIDC_ACR_VALUES') ?? [] },
    operatorEmail: read('OPERATOR_EMAIL') ?? null,
    timeoutMs: 10_000,
  };
}

function checkIssuer(issuer: string, insecureAllowed: boolean): void {
  const discovery = '/.well-known/openid-configuration';
  if (issuer.endsWith(discovery))
    throw new ConfigError('OIDC_ISSUER', issuer, `the issuer alone: ${issuer.slice(0, -discovery.length)}`);
  if (!insecureAllowed && !isSecure(issuer))
    throw new ConfigError(
      'OIDC_ISSUER',
      issuer,
      'an https address (or localhost); ALLOW_INSECURE_PUBLIC_URL=true allows it all the same',
    );
}

function isSecure(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
