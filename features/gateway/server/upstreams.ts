import type { PathRule, Upstream } from '#server/config-upstreams.ts';
import { folderOf, type PathGuard, plainGuard, targetBelow } from '#server/platform/http/paths.ts';
import { hostName, textOf } from '#server/platform/http/trusted-proxies.ts';

/** The application to which a request goes, and how the request is sent. */
export type Destination = {
  upstream: Upstream;
  rule: PathRule;
  /** Path and query, byte for byte as they came. */
  target: string;
  /** Path and query as the application receives them: without its own path, if that is cut off. */
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
  /** The path of the upstream, without its last slash. */
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
export function createFindUpstream(
  upstreams: readonly Upstream[],
  /** Left out: the same. */
  all: readonly Upstream[] = upstreams,
): FindUpstream {
  const prepared = upstreams.map(prepare).toSorted((one, other) => other.folder.length - one.folder.length);
  const byHost = new Map<string, Prepared[]>();
  for (const one of prepared) {
    const { host } = one.upstream;
    if (host !== null) byHost.set(host, [...(byHost.get(host) ?? []), one]);
  }
  const ofAnyHost = prepared.filter(({ upstream }) => upstream.host === null);
  // Where two applications are one server, a path of the inner one must not reach it by the rules of the outer one.
  const inside = new Map(
    prepared.map((outer) => [
      outer,
      all
        .map(({ path, host, url }) => ({ folder: folderOf(path).toLowerCase(), host, url }))
        .filter(
          ({ folder, host, url }) =>
            folder.length > outer.folder.length &&
            url.origin === outer.upstream.url.origin &&
            (outer.upstream.host ?? host) === host,
        ),
    ]),
  );

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
    const isInner = inside
      .get(found)
      ?.some(
        (inner) =>
          (inner.host === null || inner.host === hostName(host)) &&
          readings.some((reading) => isIn(reading, inner.folder)),
      );
    const rule = ruleFor(found, path, readings);
    if (isInner === true || rule === null)
      return ambiguous('The path can be read as one that has other rules.');
    const sent = found.upstream.stripPath ? targetBelow(target, found.folder) : target;
    // Servers read such a target as an address at another host.
    if (sent === null || (sent !== target && sent.startsWith('//')))
      return ambiguous('The path without its prefix begins with two slashes.');
    return { upstream: found.upstream, rule, target, sent };
  };
}

/** Why `reachesOtherRules` refuses. */
export const otherRules = 'Destination names a path that has other rules.';

/**
 * Whether a request names a second path that has other rules: the target of WebDAV's COPY and MOVE
 * (`Destination`, RFC 4918, 10.3). The host in it does not count, since servers ignore it.
 */
export function reachesOtherRules(
  find: FindUpstream,
  { upstream, rule }: { upstream: Upstream; rule: PathGuard },
  destination: string | string[] | undefined,
  host: string,
): boolean {
  if (destination === undefined) return false;
  const [, scheme, authority, path = ''] =
    /^([a-z][a-z0-9+.-]*:)?(\/\/[^/?#]*)?(.*)$/is.exec(textOf(destination)) ?? [];
  // Some servers read a host in `//host/path` and a path in `http:/path`, others do not.
  if ((scheme === undefined) !== (authority === undefined)) return true;
  const named = path.startsWith('/') ? path : `/${path}`;
  let found = find(named, host);
  if ('refused' in found && found.refused === 'ambiguous') return true;
  // The path may lack the part that is cut off, since the application knows its paths without that part.
  if (upstream.stripPath && ('refused' in found || found.upstream !== upstream))
    found = find(`${folderOf(upstream.path)}${named}`, host);
  if ('refused' in found) return found.refused === 'ambiguous';
  const { access, right, whileClosed } = found.rule;
  return (
    found.upstream.url.origin === upstream.url.origin &&
    (access !== rule.access || right !== rule.right || whileClosed !== rule.whileClosed)
  );
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

/** The path and query of a target; null for a target at another host, as proxies are asked for, and for `*`. */
function originForm(target: string, host: string): string | null {
  if (target.startsWith('/')) return target;
  const [, authority, rest = ''] = /^https?:\/\/([^/?#@]+)([/?].*)?$/i.exec(target) ?? [];
  if (authority === undefined || authority.toLowerCase() !== host.toLowerCase()) return null;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function isIn(path: string, folder: string): boolean {
  return path.startsWith(folder) && (path.length === folder.length || path[folder.length] === '/');
}

/** Printable ASCII, without what servers read in several ways. Patterns here read each character a few times at most. */
const plain = /^(?!.*(?:\/\/|[+.](?:\/|$)))[!"&-:<-[\]^-~]*$/;
const neverInPaths = /[\\#\u0000-\u0020\u007f]/;
/** What no decoded path may hold: control characters, `%u0041`, and overlong encodings of UTF-8. */
const neverDecoded =
  /[\u0000-\u001f\u007f]|%u[\da-f]{4}|[\u00c0\u00c1][\u0080-\u00bf]|\u00e0[\u0080-\u009f]|\u00f0[\u0080-\u008f]/i;
/** How often a chain of servers may decode a path. */
const mostDecodings = 3;

/** Whether servers may read the path of a target in more than one way, whatever the rules are. */
export function isAmbiguous(target: string): boolean {
  return readingsOf(target.split('?', 1)[0] ?? '') === null;
}

/**
 * The ways in which servers may read a path, in lower case; null where one of them leads out of its folder, or
 * holds what no path may hold.
 */
function readingsOf(path: string): string[] | null {
  if (plain.test(path)) return [path.toLowerCase()];
  if (neverInPaths.test(path)) return null;
  const readings = new Set<string>();
  let text = path;
  for (let round = 0; round < mostDecodings; round += 1) {
    const slashes = text.replaceAll(/%2f|%5c/gi, '/');
    const meant = lookAlikes(text);
    for (const each of [text, slashes, meant, meant.replace(/[?#].*$/s, '')]) {
      const reading = simplified(each);
      if (reading === null) return null;
      readings.add(reading);
    }
    const decoded = text.replaceAll(/%[\da-f]{2}/gi, decodedByte);
    if (neverDecoded.test(decoded)) return null;
    if (decoded === text) break;
    text = decoded;
  }
  return [...readings];
}

/**
 * A path decoded except slashes, without `;parameters`, doubled slashes, what Windows ignores at the end of a name
 * (dots, spaces, `::$DATA`), in lower case; null with dot segments.
 */
function simplified(path: string): string | null {
  const parts = path
    .split('/')
    .map((part) =>
      withoutStream(
        part.replace(/;.*$/s, '').replaceAll(/%(?!2f|5c)[\da-f]{2}/gi, decodedByte),
      ).toLowerCase(),
    );
  if (parts.some((part) => /^ *\.[. ]*$/.test(part) || part.includes('\\'))) return null;
  const names = parts.map((part) => part.trim().replace(/(?<![. +])[. +]+$/, ''));
  // The last part may be empty: `/admin/` stays in the folder `/admin`.
  return `/${names.filter((name, index) => name !== '' || index === names.length - 1).join('/')}`;
}

/** A name without what Windows reads as one of its streams, such as `::$DATA`. */
function withoutStream(name: string): string {
  const at = name.indexOf(':');
  return at >= 0 && name.includes('$', at) ? name.slice(0, at) : name;
}

/**
 * Replaces characters of Unicode that servers may take for letters, dots and slashes (NFKC), and removes those that
 * servers may ignore.
 */
function lookAlikes(text: string): string {
  if (!/[^\u0000-\u007f]/.test(text)) return text;
  const plainer = Buffer.from(text, 'latin1')
    .toString()
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{C}\ufffd]/gu, '');
  return plainer.toUpperCase();
}

function decodedByte(encoded: string): string {
  return String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
}

/** The rule for a path; null where the readings of the path lead to rules that do not go together. */
function ruleFor({ rules, rest }: Prepared, path: string, readings: readonly string[]): PathRule | null {
  if (rules.length === 0) return rest;
  const written = rules.find(({ folder }) => isIn(path, folder))?.rule ?? rest;
  const read = new Set(
    readings.map((reading) => rules.find(({ anyCase }) => isIn(reading, anyCase))?.rule ?? rest),
  );
  if (read.size > 1) return null;
  const [meant = rest] = read;
  if (meant === written) return written;
  // A caller who holds only one of two rights must not pass where the other is required.
  const differ = meant.right !== null && written.right !== null && meant.right !== written.right;
  return differ ? null : stricterOf(written, meant);
}

/** The rule for a path written in another way: what is guarded stays so, what the rule opens stays closed. */
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
