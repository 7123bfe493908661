/** Where objects are stored: without the credentials, so it may be shown. */
export type ObjectStoreLocation = {
  bucket: string;
  /** Before the name of each object: '' or such as `portico/`. */
  prefix: string;
  /** Scheme, host and port of the store. */
  endpoint: string;
  region: string;
};

/** The form that `readObjectStoreLocation` reads, as an error describes it. */
export const objectStoreLocationForm =
  's3://bucket/prefix?endpoint=https://s3.example.org&region=eu-central-1, without credentials';

const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/**
 * Names of objects and prefixes: segments of unreserved characters (RFC 3986, 2.3), of which none is `.` or `..`.
 * Each has one spelling in signatures, addresses and folders.
 */
export function isObjectName(name: string): boolean {
  return name.length <= 900 && /^(?!\.{1,2}(\/|$))[\w.~-]+(\/(?!\.{1,2}(\/|$))[\w.~-]+)*$/.test(name);
}

/**
 * Reads `s3://bucket/prefix?endpoint=…&region=…`. The prefix may be left out, the region too (`us-east-1`).
 *
 * @returns null where it is anything else, or has credentials in it
 */
export function readObjectStoreLocation(text: string): ObjectStoreLocation | null {
  if (!URL.canParse(text)) return null;
  const {
    protocol,
    hostname: bucket,
    pathname,
    searchParams,
    username,
    password,
    port,
    hash,
  } = new URL(text);
  const prefix = pathname.replaceAll(/^\/|\/$/g, '');
  const endpoint = readEndpoint(searchParams.get('endpoint'));
  const region = searchParams.get('region') ?? 'us-east-1';
  const names = [...searchParams.keys()];
  const holds =
    protocol === 's3:' &&
    bucketName.test(bucket) &&
    [username, password, port, hash].every((part) => part === '') &&
    (prefix === '' || isObjectName(prefix)) &&
    /^[\w-]{1,63}$/.test(region) &&
    names.every((name) => ['endpoint', 'region'].includes(name)) &&
    new Set(names).size === names.length;
  return holds && endpoint !== null
    ? { bucket, prefix: prefix === '' ? '' : `${prefix}/`, endpoint, region }
    : null;
}

function readEndpoint(text: string | null): string | null {
  if (text === null || !URL.canParse(text)) return null;
  const { protocol, origin, href } = new URL(text);
  return /^https?:$/.test(protocol) && href === `${origin}/` ? origin : null;
}
