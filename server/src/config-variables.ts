import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import { dirname, resolve } from 'node:path';
import { backupFields } from '#features/backup/contract/backups.ts';
import { emailAddress } from '#contract/email-address.ts';
import * as z from 'zod/mini';
import { parseClaimPaths } from './config-claim-paths.ts';
import { isUpstreamUrl } from './config-upstreams.ts';
import {
  objectStoreLocationForm,
  readObjectStoreLocation,
  type ObjectStoreLocation,
} from './platform/object-store/object-store-location.ts';
import { mixesScripts } from './platform/database/email-skeleton.ts';

/** What a variable may hold, and how an error describes that. */
export type Variable<T> = {
  readonly expected: string;
  readonly schema: z.ZodMiniType<T, string>;
  /** Errors never repeat the value. */
  readonly secret?: boolean;
};

const hostName = /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/;

const anyText = { expected: 'a text', schema: z.string() };
const postgresUrl = {
  expected: 'postgres://user:password@host:port/database',
  schema: texts((text) => /^postgres(ql)?:\/\//.test(text) && URL.canParse(text)),
  secret: true,
} as const;
const trueOrFalse = {
  expected: 'true or false',
  schema: z.pipe(
    matching(/^(true|false|1|0)$/),
    z.transform((text) => text === 'true' || text === '1'),
  ),
};
const origin = {
  expected: 'an origin such as https://portico.example.org, without a path',
  schema: z.pipe(
    texts((text) => isWebAddress(text) && new URL(text).href === `${new URL(text).origin}/`),
    z.transform((text) => new URL(text).origin),
  ),
};
/** Segments of unreserved characters (RFC 3986, 2.3), so that a path has one spelling; `.` and `..` are none. */
const pathBelowOrigin = /^(\/(?!\.{1,2}(\/|$))[\w.~-]+)+$/;
const claimPaths = {
  expected:
    'keys separated by dots, several paths by commas, such as realm_access.roles; a dot inside a key is written \\.',
  schema: from(parseClaimPaths, z.array(z.array(z.string()))),
};

/** Each variable may also be given as `NAME_FILE`, the path of a file that holds the value. */
export const variables = {
  // Resolvers take a name that ends in a number for an address (RFC 3696, 2), so 999.1.1.1 and 1.2.3 are
  // refused.
  HOST: {
    expected: 'the address or host name to listen on, such as 127.0.0.1 or 0.0.0.0',
    schema: texts((text) => isHost(text) && (isIP(text) !== 0 || !/(^|\.)(\d+|0x[\da-f]*)$/i.test(text))),
  },
  PORT: wholeNumber(0, 65_535),
  NODE_ENV: oneOf('production', 'development', 'test'),
  PUBLIC_URL: {
    expected:
      'an origin such as https://portico.example.org, or with the path of BASE_PATH as in https://example.org/portico',
    schema: z.pipe(
      texts(
        (text) => isWebAddress(text) && !hasUser(text) && !/[?#\\%\s]/.test(text) && isBasePath(pathOf(text)),
      ),
      z.transform((text) => ({ origin: new URL(text).origin, path: pathOf(text) })),
    ),
  },
  BASE_PATH: {
    expected:
      'a path such as /portico: segments of letters, digits, - . _ and ~, with a slash before each and none at the end',
    schema: texts((text) => text.length <= 200 && pathBelowOrigin.test(text)),
  },
  UPSTREAM_URL: {
    expected: 'the origin of the application behind Portico, such as http://app:3000, without a path',
    schema: texts(isUpstreamUrl),
  },
  /** As UPSTREAMS_FILE; `readUpstreams` reads it. */
  UPSTREAMS: anyText,
  ALLOW_INSECURE_PUBLIC_URL: trueOrFalse,
  DATA_DIR: {
    expected: 'a folder',
    schema: z.pipe(
      z.string(),
      z.transform((text) => resolve(text)),
    ),
  },
  DATABASE_URL: postgresUrl,
  DATABASE_DIRECT_URL: postgresUrl,
  ALLOW_CLOCK_BEHIND: trueOrFalse,
  PORTICO_TOKEN: {
    expected: 'an API token',
    schema: matching(/^[\w.-]{1,500}$/),
    secret: true,
  },
  HSTS_INCLUDE_SUBDOMAINS: trueOrFalse,
  TRUST_PROXY: {
    expected: 'a number of hops, or addresses and ranges such as 10.0.0.0/8, separated by commas',
    schema: z.union([
      z.pipe(
        matching(/^(false|\d{1,2})$/),
        z.transform((text) => (Number(text) > 0 ? Number(text) : (false as const))),
      ),
      // The names are those that proxy-addr knows.
      listOf(
        z.union([matching(/^(loopback|linklocal|uniquelocal)$/), z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]),
      ),
    ]),
  },
  INTERNAL_HOSTS: {
    expected: 'host names or addresses without a port, such as portico.default.svc, separated by commas',
    schema: listOf(
      z.pipe(
        texts(isHost),
        z.transform((text) => (isIP(text) === 6 ? `[${text}]` : text.toLowerCase())),
      ),
    ),
  },
  AUTH_CHECK_SECRET: {
    expected:
      'at least 32 letters, digits and - _ . ~ + / =, as `openssl rand -hex 32` makes them; several are separated by commas',
    schema: listOf(matching(/^[\w.~+/=-]{32,200}$/)),
    secret: true,
  },
  AUTH_CHECK_HEADER: {
    expected: 'X-Original-URI, X-Original-URL or X-Forwarded-Uri',
    schema: z.pipe(
      matching(/^(x-original-ur[il]|x-forwarded-uri)$/i),
      z.transform((text) => text.toLowerCase()),
    ),
  },
  LOCAL_FLAGS: {
    expected: 'flag keys separated by commas',
    schema: listOf(matching(/^[A-Za-z0-9_.:|-]{1,100}$/)),
  },
  FLAGS_HOST: origin,
  FLAGS_CLIENT_KEY: { expected: 'letters, digits, - and _', schema: matching(/^[A-Za-z0-9_-]{1,200}$/) },
  FLAGS_REMOTE_EVAL: trueOrFalse,
  GEOSERVER_URL: {
    expected:
      'the address of the map server, such as http://geoserver:8080/geoserver; with a question mark where one address serves everything, such as http://maps/cgi-bin/mapserv?map=/srv/maps/world.map',
    schema: from(
      mapServerOf,
      z.custom<{ url: URL; single: boolean }>((found) => found !== null),
    ),
  },
  GEOSERVER_DEVELOP_URL: origin,
  FEEDBACK_ORIGINS: {
    expected: 'origins such as https://portico.example.org, separated by commas',
    schema: listOf(texts((text) => isWebAddress(text) && new URL(text).origin === text)),
  },
  FEEDBACK_WITHOUT_SIGN_IN: trueOrFalse,
  SENTRY_DSN: {
    expected: 'off, or the DSN of another project, such as https://key@errors.example.org/7',
    schema: texts((text) => text === 'off' || isDsn(text)),
  },
  OPERATOR_EMAIL: {
    expected: 'an email address, without letters of two scripts in one word',
    // A letter that looks like another one must not make another person an operator.
    schema: from((text) => (mixesScripts(text) ? '' : text), emailAddress),
  },
  OPERATOR_PASSWORD: {
    expected: 'at least 12 characters',
    schema: z.string().check(z.minLength(12)),
    secret: true,
  },
  SMTP_URL: {
    expected: 'smtp://user:password@host:port, or smtps:// for TLS from the first byte',
    schema: from(
      mailServerOf,
      z.custom<MailServer>((found) => found !== null),
    ),
    secret: true,
  },
  SMTP_HOST: {
    expected: 'the name or address of the mail server, without a port',
    schema: texts(isHost),
  },
  SMTP_PORT: wholeNumber(1, 65_535),
  SMTP_USER: anyText,
  SMTP_PASSWORD: { ...anyText, secret: true },
  SMTP_SECURITY: oneOf('tls', 'starttls', 'none'),
  MAIL_FROM: {
    expected: 'an address such as portico@example.org, or Portico <portico@example.org>',
    schema: from(
      senderOf,
      z.object({
        name: z.nullable(z.string()),
        address: texts((address) => emailAddress.safeParse(address).success),
      }),
    ),
  },
  OIDC_ISSUER: {
    expected: 'the issuer as the provider writes it, such as https://login.example.org/realms/company',
    // OpenID Connect Discovery 1.0, 3: neither query nor fragment. It is compared to the letter, so it stays
    // as it is.
    schema: texts((text) => isWebAddress(text) && !/[?#\s]/.test(text) && !hasUser(text)),
  },
  OIDC_CLIENT_ID: anyText,
  OIDC_CLIENT_SECRET: { ...anyText, secret: true },
  OIDC_CLIENT_AUTH: oneOf('auto', 'basic', 'post', 'private_key_jwt'),
  OIDC_CLIENT_KEY: {
    expected: 'a private key in PEM (PKCS #8): RSA of 2048 bits or more, P-256, P-384, P-521 or Ed25519',
    schema: from(
      privateKeyOf,
      z.custom<KeyObject>((key) => key !== null),
    ),
    secret: true,
  },
  OIDC_PUSHED_REQUESTS: trueOrFalse,
  OIDC_SIGN_OUT_HINT: oneOf('id_token', 'none'),
  OIDC_SCOPE: {
    expected: 'scopes separated by spaces, openid among them, such as openid profile email',
    schema: from(
      (text) => text.trim().split(/ +/),
      z.pipe(
        // RFC 6749 3.3
        z.array(matching(/^[\x21\x23-\x5B\x5D-\x7E]+$/)).check(z.refine((words) => words.includes('openid'))),
        z.transform((words) => words.join(' ')),
      ),
    ),
  },
  OIDC_LABEL: {
    expected: 'what people call the provider, in at most 60 characters',
    schema: z.string().check(z.trim(), z.regex(/^[^\u0000-\u001f\u007f]{1,60}$/)),
  },
  OIDC_CLAIM_NAME: claimPaths,
  OIDC_CLAIM_EMAIL: claimPaths,
  OIDC_CLAIM_ROLES: claimPaths,
  OIDC_CLAIM_GROUPS: claimPaths,
  OIDC_ROLES_FROM: oneOf('auto', 'id_token', 'userinfo'),
  OIDC_STEP_UP: oneOf('on', 'off'),
  OIDC_ACR_VALUES: {
    expected: 'values of the claim acr that prove who a person is, separated by spaces',
    schema: from((text) => text.trim().split(/ +/), z.array(matching(/^[\x21-\x7E]+$/))),
  },
  SESSION_IDLE_HOURS: decimal(0.01, 24 * 365),
  SESSION_MAX_DAYS: decimal(0.01, 365),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'silent'),
  AUDIT_LOG: {
    expected: 'stdout, or the path of a file that can be written',
    schema: z.pipe(
      texts((text) => text === 'stdout' || canBeWritten(resolve(text))),
      z.transform((text) => (text === 'stdout' ? text : { file: resolve(text) })),
    ),
  },
  FILES_URL: {
    expected: objectStoreLocationForm,
    schema: from(
      readObjectStoreLocation,
      z.custom<ObjectStoreLocation>((found) => found !== null),
    ),
  },
  S3_ACCESS_KEY_ID: anyText,
  S3_SECRET_ACCESS_KEY: { ...anyText, secret: true },
  METRICS_PORT: wholeNumber(0, 65_535),
  METRICS_HOST: {
    expected: 'the address to listen on for metrics, such as 127.0.0.1 or 0.0.0.0',
    schema: texts((text) => isIP(text) !== 0),
  },
  METRICS_TOKEN: {
    expected: 'at least 32 letters, digits and - _ . ~ + / =, as `openssl rand -hex 32` makes them',
    schema: matching(/^[\w.~+/=-]{32,200}$/),
    secret: true,
  },
  BACKUP_FOLDER: {
    expected: `a whole path of a folder, such as /var/backups/portico, or ${objectStoreLocationForm}`,
    schema: from(
      (text) => ({ text, store: readObjectStoreLocation(text) }),
      z.custom<{ text: string; store: ObjectStoreLocation | null }>(
        ({ text, store }) => store !== null || /^(?:\/|[A-Za-z]:\\)/.test(text),
      ),
    ),
  },
  BACKUP_TIME: { expected: 'a time of day such as 03:00', schema: backupFields.time },
  BACKUP_ZONE: { expected: 'a time zone such as Europe/Berlin', schema: backupFields.zone },
  BACKUP_KEEP: wholeNumber(1, 1_000),
  BACKUP_VERIFY_WEEKLY: trueOrFalse,
  BACKUP_PASSPHRASE: {
    expected: 'a passphrase of 12 to 1,000 characters',
    schema: texts((text) => text.length >= 12 && text.length <= 1_000),
    secret: true,
  },
  RATE_LIMIT_SCALE: decimal(0.01, 1_000_000_000),
  STOP_DELAY: decimal(0, 600),
} satisfies Record<string, Variable<unknown>>;

/** How mail leaves the installation. */
export type MailSettings = {
  host: string;
  port: number;
  /**
   * `tls` from the first byte, `starttls` before any command, or `none`. Never an optional upgrade, which an
   * attacker on the way could suppress.
   */
  security: 'tls' | 'starttls' | 'none';
  auth: { user: string; password: string } | null;
  /** The sender; without a name the product's name is used. */
  from: { name: string | null; address: string };
};

/** The mail server as SMTP_URL or its parts name it; without a port, the usual one. */
export type MailServer = Pick<MailSettings, 'host' | 'auth'> & { port: number | undefined; tls: boolean };

/** A private key of a type with which providers let clients sign; null for any other text. */
function privateKeyOf(pem: string): KeyObject | null {
  try {
    const key = createPrivateKey(pem);
    const { modulusLength = 0, namedCurve = '' } = key.asymmetricKeyDetails ?? {};
    const isStrong =
      (key.asymmetricKeyType === 'rsa' && modulusLength >= 2_048) ||
      (key.asymmetricKeyType === 'ec' && /^(?:prime256v1|secp384r1|secp521r1)$/.test(namedCurve)) ||
      key.asymmetricKeyType === 'ed25519';
    return isStrong ? key : null;
  } catch {
    return null;
  }
}

function mailServerOf(address: string): MailServer | null {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^smtps?:$/.test(url.protocol) || !/^\/?$/.test(url.pathname)) return null;
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (!isHost(host) || url.search !== '' || url.hash !== '' || url.port === '0') return null;
  if ((url.username === '') !== (url.password === '')) return null;
  try {
    const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
    return {
      host,
      port: url.port === '' ? undefined : Number(url.port),
      auth: user === '' ? null : { user, password },
      tls: url.protocol === 'smtps:',
    };
  } catch {
    return null;
  }
}

/** Reads the map server's address. A query, even an empty one, means that all services have this address. */
function mapServerOf(text: string): { url: URL; single: boolean } | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.hash !== '') return null;
  if (url.username + url.password !== '') return null;
  return { url, single: text.includes('?') };
}

function senderOf(text: string) {
  const [, name = '', named, bare] =
    /^\s*(?:"?([^"<>\p{C}]{0,100}?)"?\s*<([^<>]+)>|([^<>]+?))\s*$/u.exec(text) ?? [];
  return { name: name.trim() || null, address: named ?? bare };
}

function texts(test: (text: string) => boolean) {
  return z.string().check(z.refine(test));
}

/** A schema that reads a text by `read` and checks the result by `schema`. */
function from<S extends z.ZodMiniType>(
  read: (text: string) => unknown,
  schema: S,
): z.ZodMiniType<z.output<S>, string> {
  const text = z.pipe(z.string(), z.transform(read));
  return z.pipe(text, schema);
}

function matching(pattern: RegExp) {
  return z.string().check(z.regex(pattern));
}

function listOf<T>(item: z.ZodMiniType<T, string>) {
  return from((text) => text.split(',').map((part) => part.trim()), z.array(item));
}

function numberFrom(text: z.ZodMiniType<string, string>, least: number, most: number) {
  return z.pipe(z.pipe(text, z.transform(Number)), z.number().check(z.gte(least), z.lte(most)));
}

function wholeNumber(least: number, most: number) {
  return {
    expected: `a whole number from ${least} to ${most}`,
    schema: numberFrom(matching(/^\d+$/), least, most),
  };
}

function decimal(least: number, most: number) {
  return { expected: `a number from ${least} to ${most}`, schema: numberFrom(matching(/\S/), least, most) };
}

function oneOf<const T extends string>(...allowed: readonly T[]) {
  return { expected: allowed.join(', '), schema: z.pipe(z.string(), z.enum(allowed)) };
}

/** As Sentry's SDKs take it: a public key, a host, perhaps a path, and the number of a project. */
function isDsn(text: string): boolean {
  if (!isWebAddress(text)) return false;
  const { username, password, pathname, search, hash } = new URL(text);
  return /^\w{1,100}$/.test(username) && password + search + hash === '' && /\/\d{1,20}$/.test(pathname);
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** The path as it is written, since `URL` would change its spelling; without a slash at its end. */
function pathOf(address: string): string {
  return address.replace(/^[^:]*:\/\/[^/]*/, '').replace(/\/$/, '');
}

function isBasePath(path: string): boolean {
  return path === '' || variables.BASE_PATH.schema.safeParse(path).success;
}

function hasUser(address: string): boolean {
  const { username, password } = new URL(address);
  return username !== '' || password !== '';
}

function isHost(text: string): boolean {
  return isIP(text) !== 0 || hostName.test(text);
}

function canBeWritten(file: string): boolean {
  try {
    if (existsSync(file) && statSync(file).isDirectory()) return false;
    accessSync(existsSync(file) ? file : dirname(file), constants.W_OK);
    return statSync(dirname(file)).isDirectory();
  } catch {
    return false;
  }
}
