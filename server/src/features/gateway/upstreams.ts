import { plainGuard, type PathRule, type Upstream } from '../../config-upstreams.ts';
import { targetBelow } from '../../platform/http/front.ts';
import { folderOf } from '../../platform/http/path-folder.ts';
import { hostName } from '../../platform/http/trusted-proxies.ts';

/** Where a request goes, and what it takes to get there. */
export type Destination = {
  upstream: Upstream;
  rule: PathRule;
  /** Path and query, byte for byte as they came. */
  target: string;
  /** The same as the application receives them: without its path, if that is cut off. */
  sent: string;
};

/** Why a request goes nowhere: a target that two servers could read in two ways, or no application. */
export type NoDestination = { refused: 'ambiguous' | 'unknown'; detail: string };

export type FindUpstream = (
  /** The request target (RFC 9112, 3.2), as it came. */
  target: string,
  /** The host that the client used, with its port. */
  host: string | undefined,
) => Destination | NoDestination;

type Prepared = {
  upstream: Upstream;
  /** Of the upstream's path, without its last slash. */
  folder: string;
  /** The longest first. */
  rules: { folder: string; anyCase: string; rule: PathRule }[];
  rest: PathRule;
};

/**
 * Finds the application of a request and the rule for its path. What is compared is what is sent: nothing is
 * rewritten. A path that opens something has to be written as the rule writes it; one that is guarded is found
 * in every way in which a server may read it (other case, percent-encoded, `//`, `;parameters`), and where these
 * lead to different rules the request is refused.
 */
export function createFindUpstream(upstreams: readonly Upstream[]): FindUpstream {
  const prepared = upstreams.map(prepare).toSorted((one, other) => other.folder.length - one.folder.length);
  const byHost = new Map<string, Prepared[]>();
  for (const one of prepared) {
    const { host } = one.upstream;
    if (host !== null) byHost.set(host, [...(byHost.get(host) ?? []), one]);
  }
  const ofAnyHost = prepared.filter(({ upstream }) => upstream.host === null);

  return (asked, host = '') => {
    const target = originForm(asked, host);
    if (target === null) return ambiguous('The request target has to be a path of this host.');
    const query = target.indexOf('?');
    const path = query < 0 ? target : target.slice(0, query);
    const readings = readingsOf(path);
    if (readings === null) return ambiguous('The path can be read in two ways.');
    const found =
      byHost.get(hostName(host))?.find(({ folder }) => isIn(path, folder)) ??
      ofAnyHost.find(({ folder }) => isIn(path, folder));
    if (found === undefined) return { refused: 'unknown', detail: 'There is no application here.' };
    const rule = ruleFor(found, path, readings);
    if (rule === null) return ambiguous('The path can be read as one that has other rules.');
    const sent = found.upstream.stripPath ? targetBelow(target, found.folder) : target;
    // Servers take it for another host's address.
    if (sent === null || (sent !== target && sent.startsWith('//')))
      return ambiguous('The path without its prefix begins with two slashes.');
    return { upstream: found.upstream, rule, target, sent };
  };
}

function prepare(upstream: Upstream): Prepared {
  const rules = upstream.rules
    .map((rule) => {
      const folder = folderOf(rule.path);
      return { folder, anyCase: folder.toLowerCase(), rule };
    })
    .toSorted((one, other) => other.folder.length - one.folder.length);
  const rest: PathRule = { ...plainGuard, path: upstream.path };
  return { upstream, folder: folderOf(upstream.path), rules, rest };
}

/** The path and query of a target; null for another host's, which a proxy would be asked for, and for `*`. */
function originForm(target: string, host: string): string | null {
  if (target.startsWith('/')) return target;
  const [, authority, rest = ''] = /^https?:\/\/([^/?#@]+)([/?].*)?$/i.exec(target) ?? [];
  if (authority === undefined || authority.toLowerCase() !== host.toLowerCase()) return null;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function isIn(path: string, folder: string): boolean {
  return path.startsWith(folder) && (path.length === folder.length || path[folder.length] === '/');
}

const plain = /^(?!.*\/(?:\/|\.{1,2}(?:\/|$)))[^%;\\#\u0000-\u0020\u007f]*$/;
const neverInPaths = /[\\#\u0000-\u0020\u007f]|%00/;
/** Encodings of `.` and `/` that lax decoders of UTF-8 take for them. */
const overlong = /%c0%(?:ae|af)|%e0%80%(?:ae|af)/i;
/** How often a chain of servers may decode a path. */
const mostDecodings = 3;

/**
 * The ways in which servers may read a path, in lower case; null where one of them leads out of its folder, or
 * holds what no path may hold.
 */
function readingsOf(path: string): string[] | null {
  if (plain.test(path)) return [path.toLowerCase()];
  if (neverInPaths.test(path) || overlong.test(path)) return null;
  const readings = new Set<string>();
  let text = path;
  for (let round = 0; round < mostDecodings; round += 1) {
    for (const slashes of [text, text.replaceAll(/%2f|%5c/gi, '/')]) {
      const reading = simplified(slashes);
      if (reading === null) return null;
      readings.add(reading);
    }
    const decoded = text.replaceAll(/%[\da-f]{2}/gi, decodedByte);
    if (decoded === text) break;
    text = decoded;
  }
  return [...readings];
}

/** Decoded but for slashes, without `;parameters` and doubled slashes, in lower case; null with dot segments. */
function simplified(path: string): string | null {
  const parts = path.split('/').map((part) =>
    part
      .replace(/;.*$/, '')
      .replaceAll(/%(?!2f|5c)[\da-f]{2}/gi, decodedByte)
      .toLowerCase(),
  );
  if (parts.some((part) => part === '.' || part === '..' || /[\\\u0000]/.test(part))) return null;
  // The last part may be empty: `/admin/` stays in the folder `/admin`.
  return `/${parts.filter((part, index) => part !== '' || index === parts.length - 1).join('/')}`;
}

function decodedByte(encoded: string): string {
  return String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
}

/** Null where the readings of the path lead to different rules. */
function ruleFor({ rules, rest }: Prepared, path: string, readings: readonly string[]): PathRule | null {
  if (rules.length === 0) return rest;
  const written = rules.find(({ folder }) => isIn(path, folder))?.rule ?? rest;
  const read = new Set(
    readings.map((reading) => rules.find(({ anyCase }) => isIn(reading, anyCase))?.rule ?? rest),
  );
  if (read.size > 1) return null;
  const [meant = rest] = read;
  return meant === written ? written : stricterOf(written, meant);
}

/**
 * For a path that is written otherwise than its rule: what that rule guards stays guarded, and what it opens
 * stays closed.
 */
function stricterOf(written: PathRule, meant: PathRule): PathRule {
  if (meant.access === 'public') return written;
  const isWider = written.access === 'public' || written.access === 'session-or-token';
  return {
    ...meant,
    access: isWider || meant.access === 'session' ? meant.access : written.access,
    right: meant.right ?? written.right,
    whileClosed: written.whileClosed && meant.whileClosed,
    postReads: written.postReads && meant.postReads,
    passPreflight: written.passPreflight && meant.passPreflight,
  };
}

function ambiguous(detail: string): NoDestination {
  return { refused: 'ambiguous', detail };
}
