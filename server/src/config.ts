import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { dirname, resolve } from 'node:path';
import { parseClaimPaths, type ClaimPath } from './features/outside-provider/claim-path.ts';
import type { MailSettings } from './features/mail/transport.ts';
import type { DatabaseLocation } from './platform/database.ts';

/** Everything that can be set from outside, typed. Made once, by `readConfig`, from the environment (START-5). */
export type Config = {
  host: string;
  port: number;
  /** Origin that browsers use, without a trailing slash. */
  publicUrl: string;
  dataDir: string;
  database: DatabaseLocation;
  /** Starts although the last change in the database lies in the future, and dates anew from the clock. */
  allowClockBehind: boolean;
  production: boolean;
  /** For whom browsers are told to use https alone, where the public URL is https. */
  strictTransport: 'host' | 'subdomains';
  /** Whose forwarded addresses count: false, a number of hops, or addresses and ranges. */
  trustProxy: false | number | string[];
  localFlags: string[];
  /** Another GrowthBook host whose flags are used instead of Portico's own, or null. */
  flagsHost: { host: string; clientKey: string; remoteEval: boolean } | null;
  geoserverDevelopUrl: string | null;
  /** Origins whose pages may send bug reports (BUG-4). */
  feedbackOrigins: string[];
  /** Whether bug reports are taken from people who are not signed in (BUG-6). */
  feedbackWithoutSignIn: boolean;
  /** Creates the first operator unattended, or null. */
  operator: { email: string; password: string } | null;
  /** Another OpenID Connect provider that people sign in at, or null: the embedded one (SES-4). */
  oidc: OutsideProviderSettings | null;
  /** How invitations and links for a new password are sent, or null: they are shown instead (SES-3). */
  mail: MailSettings | null;
  sessionIdleMs: number;
  sessionMaxMs: number;
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'silent';
  /** Where each entry of the audit also goes as a line of JSON, or null: nowhere (AUD-1). */
  auditLog: 'stdout' | { file: string } | null;
  /** Multiplies every rate limit; 1 for people, more for load tests. */
  rateLimitScale: number;
  /** How long a stop goes on serving while `/readyz` answers 503, so that balancers send their requests elsewhere first (RUN-2). */
  stopDelayMs: number;
};

/** The company's own OpenID Connect provider, and what its claims are called. */
export type OutsideProviderSettings = {
  /** Exactly as the provider writes it into its tokens. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** How the secret is shown to the provider; `auto` as it says itself. */
  clientAuth: 'auto' | 'basic' | 'post';
  /** What names the person when they sign out at the provider: the ID token, or nothing, for which some ask once more. */
  signOutHint: 'id_token' | 'none';
  scope: string;
  /** What people call it, such as the company's name; null: its host. */
  label: string | null;
  claims: {
    /** Of the full name; null: the standard claims of the name. */
    name: ClaimPath[] | null;
    email: ClaimPath[];
    roles: ClaimPath[];
    groups: ClaimPath[];
  };
  /** Where the claims stand; `auto` asks the userinfo endpoint for what the ID token lacks. */
  claimsFrom: 'auto' | 'id_token' | 'userinfo';
  /** Whoever signs in with this address, verified, while there is no operator, becomes the first one; or null. */
  operatorEmail: string | null;
  /** How long the provider may take to answer. */
  timeoutMs: number;
};

/** A bad value: one line that names the variable, what it holds and what is expected. */
export class ConfigError extends Error {
  constructor(name: string, holds: string | undefined, expected: string) {
    super(
      `${name} ${holds === undefined ? 'is not set' : `holds ${JSON.stringify(holds)}`}; expected ${expected}.`,
    );
    this.name = 'ConfigError';
  }
}

type Environment = Record<string, string | undefined>;

/** Names that hold secrets: their value is never repeated in an error. */
const secretNames = new Set([
  'OPERATOR_PASSWORD',
  'DATABASE_URL',
  'OIDC_CLIENT_SECRET',
  'SMTP_URL',
  'SMTP_PASSWORD',
]);

/**
 * Reads the configuration. Each variable may also be given as `NAME_FILE`, the path of a file that holds the value.
 *
 * @param atTerminal whether a person looks on: the log then holds warnings only and a stop has no delay, unless `LOG_LEVEL` and
 *   `STOP_DELAY` say otherwise
 * @throws ConfigError on the first bad value
 */
export function readConfig(environment: Environment = process.env, { atTerminal = false } = {}): Config {
  const text = (name: string): string | undefined => valueOf(environment, name);

  const port = whole(text, 'PORT', 3000, 0, 65_535);
  const mode = oneOf(text, 'NODE_ENV', ['production', 'development', 'test'] as const, 'production');
  const publicUrl = origin(text, 'PUBLIC_URL') ?? `http://localhost:${port}`;
  const insecureAllowed = yesNo(text, 'ALLOW_INSECURE_PUBLIC_URL', false);
  if (mode === 'production' && !insecureAllowed && !isSecure(publicUrl)) {
    throw new ConfigError(
      'PUBLIC_URL',
      publicUrl,
      'an https address (or localhost) while NODE_ENV is production; ALLOW_INSECURE_PUBLIC_URL=true allows it all the same',
    );
  }
  const dataDir = resolve(text('DATA_DIR') ?? './data');
  const oidc = outsideProvider(text, mode !== 'production' || insecureAllowed);
  const idleHours = decimal(text, 'SESSION_IDLE_HOURS', 12, 0.01, 24 * 365);
  const maxDays = decimal(text, 'SESSION_MAX_DAYS', 7, 0.01, 365);
  return {
    host: listenOn(text),
    port,
    publicUrl,
    dataDir,
    database: databaseLocation(text, dataDir),
    allowClockBehind: yesNo(text, 'ALLOW_CLOCK_BEHIND', false),
    production: mode !== 'development',
    strictTransport: yesNo(text, 'HSTS_INCLUDE_SUBDOMAINS', false) ? 'subdomains' : 'host',
    trustProxy: trustProxy(text),
    localFlags: localFlags(text),
    flagsHost: flagsHost(text),
    geoserverDevelopUrl: origin(text, 'GEOSERVER_DEVELOP_URL'),
    feedbackOrigins: feedbackOrigins(text, publicUrl),
    feedbackWithoutSignIn: yesNo(text, 'FEEDBACK_WITHOUT_SIGN_IN', false),
    operator: oidc === null ? operator(text) : null,
    oidc,
    mail: mail(text),
    sessionIdleMs: idleHours * 3_600_000,
    sessionMaxMs: maxDays * 86_400_000,
    logLevel: oneOf(
      text,
      'LOG_LEVEL',
      ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const,
      atTerminal ? 'warn' : 'info',
    ),
    auditLog: auditLog(text),
    rateLimitScale: decimal(text, 'RATE_LIMIT_SCALE', 1, 0.01, 1_000_000_000),
    // At a terminal a person waits, and no balancer stands before it.
    stopDelayMs: decimal(text, 'STOP_DELAY', atTerminal ? 0 : 5, 0, 600) * 1_000,
  };
}

type Text = (name: string) => string | undefined;

function valueOf(environment: Environment, name: string): string | undefined {
  const direct = environment[name];
  const file = environment[`${name}_FILE`];
  if (file !== undefined && file !== '') {
    if (direct !== undefined && direct !== '') {
      throw new ConfigError(
        name,
        secretNames.has(name) ? '(a secret)' : direct,
        `only one of ${name} and ${name}_FILE`,
      );
    }
    try {
      return readFileSync(file, 'utf8').replace(/\r?\n$/, '') || undefined;
    } catch {
      throw new ConfigError(`${name}_FILE`, file, 'the path of a file that can be read');
    }
  }
  return direct === undefined || direct === '' ? undefined : direct;
}

function listenOn(text: Text): string {
  const value = text('HOST') ?? '127.0.0.1';
  if (isIP(value) === 0 && !/^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(value)) {
    throw new ConfigError(
      'HOST',
      value,
      'the address or host name to listen on, such as 127.0.0.1 or 0.0.0.0',
    );
  }
  return value;
}

function decimal(text: Text, name: string, otherwise: number, least: number, most: number): number {
  const value = text(name);
  if (value === undefined) return otherwise;
  const number = Number(value);
  if (value.trim() === '' || !(number >= least && number <= most)) {
    throw new ConfigError(name, value, `a number from ${least} to ${most}`);
  }
  return number;
}

function whole(text: Text, name: string, otherwise: number, least: number, most: number): number {
  const value = text(name);
  if (value === undefined) return otherwise;
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < least || number > most) {
    throw new ConfigError(name, value, `a whole number from ${least} to ${most}`);
  }
  return number;
}

function yesNo(text: Text, name: string, otherwise: boolean): boolean {
  const value = text(name);
  if (value === undefined) return otherwise;
  if (value === 'true' || value === '1') return true;
  if (value === 'false' || value === '0') return false;
  throw new ConfigError(name, value, 'true or false');
}

function oneOf<const T extends string>(text: Text, name: string, allowed: readonly T[], otherwise: T): T {
  const value = text(name);
  if (value === undefined) return otherwise;
  const found = allowed.find((one) => one === value);
  if (found === undefined) throw new ConfigError(name, value, allowed.join(', '));
  return found;
}

/** An http(s) address without path, query, user or password; null where it is not set. */
function origin(text: Text, name: string): string | null {
  const value = text(name);
  if (value === undefined) return null;
  const url = URL.canParse(value) ? new URL(value) : null;
  const bare =
    url !== null &&
    url.pathname === '/' &&
    url.search === '' &&
    url.hash === '' &&
    url.username === '' &&
    url.password === '';
  if (url === null || !bare || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    const told = url?.password ? '(an address with a password)' : value;
    throw new ConfigError(name, told, 'an origin such as https://portico.example.org, without a path');
  }
  return url.origin;
}

function isSecure(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  return (
    protocol === 'https:' || hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]'
  );
}

function databaseLocation(text: Text, dataDir: string): DatabaseLocation {
  const url = text('DATABASE_URL');
  if (url === undefined) return { engine: 'sqlite', dataDir };
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) {
    throw new ConfigError('DATABASE_URL', '(a secret)', 'postgres://user:password@host:port/database');
  }
  return { engine: 'postgres', url };
}

function trustProxy(text: Text): Config['trustProxy'] {
  const value = text('TRUST_PROXY');
  if (value === undefined || value === 'false') return false;
  if (/^\d{1,2}$/.test(value)) return Number(value) === 0 ? false : Number(value);
  const parts = value.split(',').map((part) => part.trim());
  if (!parts.every(isRange)) {
    throw new ConfigError(
      'TRUST_PROXY',
      value,
      'a number of hops, or addresses and ranges such as 10.0.0.0/8, separated by commas',
    );
  }
  return parts;
}

/** An address, a range (10.0.0.0/8, fd00::/8), or one of the names that proxy-addr knows. */
function isRange(part: string): boolean {
  if (/^(loopback|linklocal|uniquelocal)$/.test(part)) return true;
  const [address = '', bits, ...rest] = part.split('/');
  const version = isIP(address);
  const most = version === 4 ? 32 : 128;
  return (
    version !== 0 &&
    rest.length === 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
  );
}

/** SMTP_URL, or its parts one by one; half of it is a mistake, since nothing would ever arrive. */
function mail(text: Text): MailSettings | null {
  const parts = ['SMTP_HOST', 'SMTP_PORT', 'SMTP_USER', 'SMTP_PASSWORD'] as const;
  const url = text('SMTP_URL');
  const host = text('SMTP_HOST');
  if (url === undefined && host === undefined) {
    const stray = [...parts, 'SMTP_SECURITY', 'MAIL_FROM'].find((name) => text(name) !== undefined);
    if (stray !== undefined)
      throw new ConfigError('SMTP_HOST', undefined, `the name of the mail server, since ${stray} is set`);
    return null;
  }
  const second = url === undefined ? undefined : parts.find((name) => text(name) !== undefined);
  if (second !== undefined)
    throw new ConfigError('SMTP_URL', '(a secret)', `nothing, since ${second} is set`);
  const server = url === undefined ? mailServer(text, host ?? '') : mailServerOf(url);
  const otherwise = server.tls || server.port === 465 ? 'tls' : 'starttls';
  const security = oneOf(text, 'SMTP_SECURITY', ['tls', 'starttls', 'none'] as const, otherwise);
  if (server.tls && security !== 'tls')
    throw new ConfigError('SMTP_SECURITY', security, 'tls, since SMTP_URL begins with smtps:');
  const { port = security === 'tls' ? 465 : 587 } = server;
  return { host: server.host, port, security, auth: server.auth, from: mailFrom(text) };
}

type MailServer = Pick<MailSettings, 'host' | 'auth'> & { port: number | undefined; tls: boolean };

function mailServer(text: Text, host: string): MailServer {
  if (!isHostName(host))
    throw new ConfigError('SMTP_HOST', host, 'the name or address of the mail server, without a port');
  const [user, password] = [text('SMTP_USER'), text('SMTP_PASSWORD')];
  if (user === undefined && password !== undefined)
    throw new ConfigError('SMTP_USER', undefined, 'the user at the mail server, since SMTP_PASSWORD is set');
  if (user !== undefined && password === undefined)
    throw new ConfigError(
      'SMTP_PASSWORD',
      undefined,
      'the password at the mail server, since SMTP_USER is set',
    );
  return {
    host,
    port: text('SMTP_PORT') === undefined ? undefined : whole(text, 'SMTP_PORT', 0, 1, 65_535),
    auth: user === undefined || password === undefined ? null : { user, password },
    tls: false,
  };
}

function mailServerOf(address: string): MailServer {
  const wrong = new ConfigError(
    'SMTP_URL',
    '(a secret)',
    'smtp://user:password@host:port, or smtps:// for TLS from the first byte',
  );
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^smtps?:$/.test(url.protocol) || !/^\/?$/.test(url.pathname)) throw wrong;
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (!isHostName(host) || url.search !== '' || url.hash !== '' || url.port === '0') throw wrong;
  if ((url.username === '') !== (url.password === '')) throw wrong;
  try {
    const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
    return {
      host,
      port: url.port === '' ? undefined : Number(url.port),
      auth: user === '' ? null : { user, password },
      tls: url.protocol === 'smtps:',
    };
  } catch {
    throw wrong;
  }
}

function isHostName(value: string): boolean {
  return isIP(value) !== 0 || /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(value);
}

function mailFrom(text: Text): MailSettings['from'] {
  const value = text('MAIL_FROM');
  const expected = 'an address such as portico@example.org, or Portico <portico@example.org>';
  if (value === undefined) throw new ConfigError('MAIL_FROM', undefined, `${expected}, since mail is sent`);
  const [, name = '', named, bare] =
    /^\s*(?:"?([^"<>\p{C}]{0,100}?)"?\s*<([^@\s<>]+@[^@\s<>,]+)>|([^@\s<>]+@[^@\s<>,]+))\s*$/u.exec(value) ??
    [];
  const address = named ?? bare;
  if (address === undefined || address.length > 254) throw new ConfigError('MAIL_FROM', value, expected);
  return { name: name.trim() === '' ? null : name.trim(), address };
}

function localFlags(text: Text): string[] {
  const value = text('LOCAL_FLAGS');
  if (value === undefined) return [];
  const names = value.split(',').map((name) => name.trim());
  if (!names.every((name) => /^[A-Za-z0-9_.:|-]{1,100}$/.test(name))) {
    throw new ConfigError('LOCAL_FLAGS', value, 'flag keys separated by commas');
  }
  return [...new Set(names)];
}

function feedbackOrigins(text: Text, publicUrl: string): string[] {
  const value = text('FEEDBACK_ORIGINS');
  if (value === undefined) return [publicUrl];
  const origins = value.split(',').map((part) => part.trim());
  const wrong = origins.find((one) => !isOrigin(one));
  if (wrong !== undefined) {
    throw new ConfigError(
      'FEEDBACK_ORIGINS',
      value,
      'origins such as https://portico.example.org, separated by commas',
    );
  }
  return [...new Set(origins)];
}

function isOrigin(value: string): boolean {
  return /^https?:/.test(value) && URL.canParse(value) && new URL(value).origin === value;
}

function auditLog(text: Text): Config['auditLog'] {
  const value = text('AUDIT_LOG');
  if (value === undefined || value === 'stdout') return value ?? null;
  const file = resolve(value);
  try {
    if (existsSync(file) && statSync(file).isDirectory()) throw new Error('It is a folder.');
    accessSync(existsSync(file) ? file : dirname(file), constants.W_OK);
    if (!statSync(dirname(file)).isDirectory()) throw new Error('It is in no folder.');
  } catch {
    throw new ConfigError('AUDIT_LOG', value, 'stdout, or the path of a file that can be written');
  }
  return { file };
}

function flagsHost(text: Text): Config['flagsHost'] {
  const host = origin(text, 'FLAGS_HOST');
  const clientKey = text('FLAGS_CLIENT_KEY');
  if (host === null) {
    if (clientKey !== undefined)
      throw new ConfigError(
        'FLAGS_HOST',
        undefined,
        'the origin of the flag host, since FLAGS_CLIENT_KEY is set',
      );
    return null;
  }
  if (clientKey === undefined)
    throw new ConfigError('FLAGS_CLIENT_KEY', undefined, 'the client key at FLAGS_HOST');
  if (!/^[A-Za-z0-9_-]{1,200}$/.test(clientKey))
    throw new ConfigError('FLAGS_CLIENT_KEY', clientKey, 'letters, digits, - and _');
  return { host, clientKey, remoteEval: yesNo(text, 'FLAGS_REMOTE_EVAL', false) };
}

function operator(text: Text): Config['operator'] {
  const email = text('OPERATOR_EMAIL');
  const password = text('OPERATOR_PASSWORD');
  if (email === undefined && password === undefined) return null;
  if (email === undefined)
    throw new ConfigError('OPERATOR_EMAIL', undefined, 'an e-mail address, since OPERATOR_PASSWORD is set');
  if (password === undefined)
    throw new ConfigError('OPERATOR_PASSWORD', undefined, 'a password, since OPERATOR_EMAIL is set');
  if (!/^[^@\s]+@[^@\s]+$/.test(email)) throw new ConfigError('OPERATOR_EMAIL', email, 'an e-mail address');
  if (password.length < 12)
    throw new ConfigError('OPERATOR_PASSWORD', '(a secret)', 'at least 12 characters');
  return { email: email.trim().toLowerCase(), password };
}

/** What OIDC_ISSUER brings with it; a part that is missing is a mistake, since nobody could sign in. */
function outsideProvider(text: Text, insecureAllowed: boolean): OutsideProviderSettings | null {
  const issuer = text('OIDC_ISSUER');
  if (issuer === undefined) {
    const stray = oidcNames.find((name) => text(name) !== undefined);
    if (stray !== undefined)
      throw new ConfigError('OIDC_ISSUER', undefined, `the issuer of the provider, since ${stray} is set`);
    return null;
  }
  checkIssuer(issuer, insecureAllowed);
  const clientId = text('OIDC_CLIENT_ID');
  if (clientId === undefined)
    throw new ConfigError('OIDC_CLIENT_ID', undefined, 'the client id that the provider gave to Portico');
  const clientSecret = text('OIDC_CLIENT_SECRET');
  if (clientSecret === undefined)
    throw new ConfigError(
      'OIDC_CLIENT_SECRET',
      undefined,
      'the client secret that the provider gave to Portico',
    );
  if (text('OPERATOR_PASSWORD') !== undefined)
    throw new ConfigError(
      'OPERATOR_PASSWORD',
      '(a secret)',
      'nothing, since OIDC_ISSUER is set: people sign in at the provider, and OPERATOR_EMAIL alone names the first operator',
    );
  return {
    issuer,
    clientId,
    clientSecret,
    clientAuth: oneOf(text, 'OIDC_CLIENT_AUTH', ['auto', 'basic', 'post'] as const, 'auto'),
    signOutHint: oneOf(text, 'OIDC_SIGN_OUT_HINT', ['id_token', 'none'] as const, 'id_token'),
    scope: scope(text),
    label: label(text),
    claims: {
      name: claimPaths(text, 'OIDC_CLAIM_NAME', null),
      email: claimPaths(text, 'OIDC_CLAIM_EMAIL', [['email']]),
      roles: claimPaths(text, 'OIDC_CLAIM_ROLES', [['roles']]),
      groups: claimPaths(text, 'OIDC_CLAIM_GROUPS', [['groups']]),
    },
    claimsFrom: oneOf(text, 'OIDC_ROLES_FROM', ['auto', 'id_token', 'userinfo'] as const, 'auto'),
    operatorEmail: operatorEmail(text),
    timeoutMs: 10_000,
  };
}

const oidcNames = [
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_CLIENT_AUTH',
  'OIDC_SIGN_OUT_HINT',
  'OIDC_SCOPE',
  'OIDC_LABEL',
  'OIDC_CLAIM_NAME',
  'OIDC_CLAIM_EMAIL',
  'OIDC_CLAIM_ROLES',
  'OIDC_CLAIM_GROUPS',
  'OIDC_ROLES_FROM',
];

/** OpenID Connect Discovery 1.0, 3: https, neither query nor fragment. It is compared to the letter, so it stays as it is. */
function checkIssuer(issuer: string, insecureAllowed: boolean): void {
  const url = URL.canParse(issuer) ? new URL(issuer) : null;
  const web = url !== null && (url.protocol === 'https:' || url.protocol === 'http:');
  if (!web || /[?#\s]/.test(issuer) || url.username !== '' || url.password !== '') {
    throw new ConfigError(
      'OIDC_ISSUER',
      url?.password ? '(an address with a password)' : issuer,
      'the issuer as the provider writes it, such as https://login.example.org/realms/company',
    );
  }
  if (issuer.endsWith('/.well-known/openid-configuration'))
    throw new ConfigError(
      'OIDC_ISSUER',
      issuer,
      `the issuer alone: ${issuer.slice(0, -'/.well-known/openid-configuration'.length)}`,
    );
  if (!insecureAllowed && !isSecure(issuer))
    throw new ConfigError(
      'OIDC_ISSUER',
      issuer,
      'an https address (or localhost); ALLOW_INSECURE_PUBLIC_URL=true allows it all the same',
    );
}

function scope(text: Text): string {
  const value = text('OIDC_SCOPE') ?? 'openid profile email';
  const words = value.trim().split(/ +/);
  // RFC 6749 3.3
  if (!words.includes('openid') || !words.every((word) => /^[\x21\x23-\x5B\x5D-\x7E]+$/.test(word)))
    throw new ConfigError(
      'OIDC_SCOPE',
      value,
      'scopes separated by spaces, openid among them, such as openid profile email',
    );
  return words.join(' ');
}

function label(text: Text): string | null {
  const value = text('OIDC_LABEL')?.trim();
  if (value === undefined) return null;
  if (value === '' || value.length > 60 || /[\u0000-\u001f\u007f]/.test(value))
    throw new ConfigError('OIDC_LABEL', value, 'what people call the provider, in at most 60 characters');
  return value;
}

function claimPaths<T>(text: Text, name: string, otherwise: T): ClaimPath[] | T {
  const value = text(name);
  if (value === undefined) return otherwise;
  const paths = parseClaimPaths(value);
  if (paths === null)
    throw new ConfigError(
      name,
      value,
      'keys separated by dots, several paths by commas, such as realm_access.roles; a dot inside a key is written \\.',
    );
  return paths;
}

function operatorEmail(text: Text): string | null {
  const email = text('OPERATOR_EMAIL')?.trim();
  if (email === undefined) return null;
  // Letters that only look like others must not make somebody else an operator.
  if (!/^[\x21-\x3f\x41-\x7e]+@[\x21-\x3f\x41-\x7e]+$/.test(email))
    throw new ConfigError('OPERATOR_EMAIL', email, 'an e-mail address in plain letters, without accents');
  return email.toLowerCase();
}
