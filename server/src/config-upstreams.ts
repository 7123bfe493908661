import { jsonLosses, type JsonLoss } from '#contract/rules/exact-json.ts';
import { flagKey } from '#features/flags/contract/flags.ts';
import { rightName } from '#features/permissions/contract/administration.ts';
import * as z from 'zod/mini';
import { folderOf, isTokenHeader, type PathGuard, plainGuard } from './platform/http/paths.ts';

/** An application behind the gateway: its address, its paths and host name, and the access to its paths. */
export type Upstream = {
  /** Of letters, digits, `-` and `_`, and unique. */
  name: string;
  /** Its origin, such as `http://reports:4000`; paths are sent as they come. */
  url: URL;
  /** The host name that browsers use for it, in lower case and without a port; null: any. */
  host: string | null;
  /** The path below which the application answers; it begins with `/`. The longest matching path wins. */
  path: string;
  /** Forwards paths without the prefix `path`. */
  stripPath: boolean;
  /** Forwards the `Host` header of the browser; otherwise sends the host of `url`. */
  keepHost: boolean;
  /** The claim `aud` of the assertions that the application receives. */
  audience: string;
  /** How long it may take to begin an answer, and to go on with one that no one reads on a stream. */
  timeoutMs: number;
  /** Header names that the application chose for facts about the caller (GATE-8). */
  identityHeaders: Record<string, IdentityField>;
  /** Headers that name a caller, but that the application accepts from its clients all the same. */
  clientHeaders: string[];
  rules: PathRule[];
};

/** Facts about the caller that an application may receive in a header that it names itself. */
const identityFields = ['id', 'email', 'name', 'roles', 'rights', 'assertion'] as const;
export type IdentityField = (typeof identityFields)[number];

/** The access to `path`, a folder or one file; the longest matching path decides. */
export type PathRule = PathGuard & { path: string };

/** What applications register with Portico (GATE-4); the texts are theirs, in one language. */
export type Registered = {
  rights: { right: string; label: string; description: string; area: string }[];
  flags: { key: string; description: string; value: boolean | number | string }[];
};

/** The whole of `UPSTREAMS_FILE`. */
export type UpstreamsFile = { upstreams: Upstream[]; registered: Registered };

/** What is wrong, where it stands in the file (RFC 6901), and what is expected there. */
export type UpstreamsMistake = { at: string; found: string; expected: string };

const defaultTimeoutSeconds = 60;

/** The application that `UPSTREAM_URL` names: everything of this origin that is not Portico's. */
export function onlyUpstream(url: URL): Upstream {
  return {
    name: 'application',
    url,
    host: null,
    path: '/',
    stripPath: false,
    keepHost: true,
    audience: 'application',
    timeoutMs: defaultTimeoutSeconds * 1_000,
    identityHeaders: {},
    clientHeaders: [],
    rules: [],
  };
}

/** Whether an address is an origin that can be forwarded to: http or https, no path, query or password. */
export function isUpstreamUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, origin, href } = new URL(text);
  return /^https?:$/.test(protocol) && href === `${origin}/`;
}

const name = z
  .string(expects('a name of letters, digits, - and _, at most 60'))
  .check(z.regex(/^[A-Za-z0-9_-]{1,60}$/, expects('a name of letters, digits, - and _, at most 60')));
const pathText = 'a path that begins with /, without parts that end in a dot, //, \\, ;, ?, # or %';
// Paths are compared as text, so each path must have only one spelling.
const path = z
  .string(expects(pathText))
  .check(
    z.regex(
      /^\/(?:[^/\\;?#%\u0000-\u0020\u007f-\uffff]*[^./\\;?#%\u0000-\u0020\u007f-\uffff](?:\/|$))*$/,
      expects(pathText),
    ),
  )
  .check(z.maxLength(500, expects(pathText)));
const trueOrFalse = z.boolean(expects('true or false'));
const hostText = 'a host name without a port, such as reports.example.org';
const accessText = '"session", "public", "token" or "session-or-token"';
const tokenHeaderText = 'the name of a header for tokens alone, such as X-Api-Key';
const right = accepted(rightName, 'the name of a right, such as REPORTS_READ');

const rule = z
  .strictObject({
    path,
    access: z._default(
      z.enum(['session', 'public', 'token', 'session-or-token'], expects(accessText)),
      plainGuard.access,
    ),
    right: z._default(z.nullable(right), null),
    whileClosed: z._default(trueOrFalse, false),
    postReads: z._default(trueOrFalse, false),
    passPreflight: z._default(trueOrFalse, false),
    tokenHeader: z._default(
      z.string(expects(tokenHeaderText)).check(z.refine(isTokenHeader, expects(tokenHeaderText))),
      plainGuard.tokenHeader,
    ),
    askPassword: z._default(trueOrFalse, false),
  })
  .check(
    z.refine(
      (one) => one.access !== 'public' || one.right === null,
      expects('no right, since everyone reaches a public path'),
    ),
    z.refine(
      ({ access, askPassword, tokenHeader }) =>
        /token/.test(access) || (!askPassword && tokenHeader === plainGuard.tokenHeader),
      expects('no askPassword and no tokenHeader, since this path takes no token'),
    ),
  );

const headerText = 'the name of a header about people that is not one of HTTP’s, Portico’s or a proxy’s own';
/** Headers that frame, address or authenticate a message, or record the way by which it came. */
const notAboutPeople =
  /^(?:accept|access-control|cache|content|if|proxy|sec|x-portico|portico|x-original|x-rewrite)(?:-.*)?$|^x-forwarded-(?:for|host|port|prefix|proto|protocol|scheme|server|ssl|uri|url|method|path)$|^(?:authorization|connection|cookie|date|expect|forwarded|host|http2-settings|keep-alive|origin|range|referer|te|trailer|transfer-encoding|upgrade|user-agent|via|x-real-ip|x-script-name)$/;
const headerName = z.string(expects(headerText)).check(
  z.regex(/^[A-Za-z][\w-]{0,99}$/, expects(headerText)),
  z.refine((name) => !notAboutPeople.test(sameHeader(name)), expects(headerText)),
);
const fieldText = `one of ${identityFields.join(', ')}`;

const secondsText = 'seconds from 1 to 3600';
const upstream = z.strictObject({
  name,
  url: z.pipe(
    z
      .string(expects('an origin such as http://reports:4000, without a path'))
      .check(z.refine(isUpstreamUrl, expects('an origin such as http://reports:4000, without a path'))),
    z.transform((text) => new URL(text)),
  ),
  host: z._default(
    z.nullable(
      z
        .string(expects(hostText))
        .check(z.toLowerCase(), z.regex(/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/, expects(hostText))),
    ),
    null,
  ),
  path: z._default(path, '/'),
  stripPath: z._default(trueOrFalse, false),
  keepHost: z._default(trueOrFalse, true),
  audience: z.optional(z.string(expects('a text')).check(z.minLength(1), z.maxLength(200))),
  timeoutSeconds: z._default(
    z.number(expects(secondsText)).check(z.gte(1, expects(secondsText)), z.lte(3_600, expects(secondsText))),
    defaultTimeoutSeconds,
  ),
  identityHeaders: z._default(
    z.record(
      z.string(),
      z.enum(identityFields, expects(fieldText)),
      expects('an object of names of headers'),
    ),
    {},
  ),
  clientHeaders: z._default(
    z.array(headerName, expects('a list of names of headers')).check(z.maxLength(100)),
    [],
  ),
  rules: z._default(z.array(rule, expects('a list of rules')).check(z.maxLength(500)), []),
});

const registeredRight = z.strictObject({
  right,
  label: line(1, 100),
  description: z._default(line(0, 300), ''),
  area: line(1, 60),
});
const registeredFlag = z.strictObject({
  key: accepted(flagKey, "a flag's key of letters, digits, _ . : | and -, at most 100"),
  description: z._default(line(0, 500), ''),
  value: z.union(
    [z.boolean(), z.number(), z.string().check(z.maxLength(5_000))],
    expects('true, false, a number or a text'),
  ),
});

const file = z.strictObject(
  {
    upstreams: z
      .array(upstream, expects('a list of applications'))
      .check(z.minLength(1, expects('at least one application')), z.maxLength(100)),
    rights: z._default(z.array(registeredRight, expects('a list of rights')).check(z.maxLength(1_000)), []),
    flags: z._default(z.array(registeredFlag, expects('a list of flags')).check(z.maxLength(1_000)), []),
  },
  expects('an object with the list "upstreams"'),
);

const tooPrecise = 'a number that JavaScript holds with all its digits';
const expectedOf: Record<JsonLoss['code'], string> = {
  too_big: tooPrecise,
  inexact: tooPrecise,
  duplicate: 'each name once',
  reserved: 'another name',
};

/** Reads the JSON of `UPSTREAMS_FILE`; returns the first mistake in it, if there is one. */
export function readUpstreams(text: string): UpstreamsFile | UpstreamsMistake {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return { at: '/', found: (error as Error).message.slice(0, 200), expected: 'JSON' };
  }
  const [loss] = jsonLosses(text);
  if (loss !== undefined) return { at: loss.pointer, found: loss.found, expected: expectedOf[loss.code] };
  const parsed = file.safeParse(json);
  if (!parsed.success) return mistakeOf(json, parsed.error.issues[0]);
  const upstreams = parsed.data.upstreams.map(({ timeoutSeconds, audience, ...one }) => ({
    ...one,
    audience: audience ?? one.name,
    timeoutMs: timeoutSeconds * 1_000,
  }));
  return (
    mistakeAmong(upstreams) ?? {
      upstreams,
      registered: { rights: parsed.data.rights, flags: parsed.data.flags },
    }
  );
}

/** The first mistake of a list: with two equal entries, chance would decide which one counts. */
function mistakeAmong(upstreams: readonly Upstream[]): UpstreamsMistake | null {
  const seen = new Set<string>();
  for (const [index, upstream] of upstreams.entries()) {
    const { name, host, path, rules, audience } = upstream;
    const at = `/upstreams/${index}`;
    // With such an audience the application would accept access tokens, or the map server its assertions.
    if (audience === 'portico' || audience === 'map-server')
      return {
        at: `${at}/audience`,
        found: audience,
        expected: 'another audience than those of access tokens and of the map server',
      };
    if (seen.has(name)) return { at: `${at}/name`, found: name, expected: 'a name of its own' };
    seen.add(name);
    if (upstream.stripPath && folderOf(path) === '')
      return { at: `${at}/stripPath`, found: 'true', expected: 'a path other than / to cut off' };
    const place = `${host ?? ''} ${folderOf(path)}`;
    if (seen.has(place))
      return { at: `${at}/path`, found: path, expected: 'a path that no other application of this host has' };
    seen.add(place);
    const headers = new Set(upstream.clientHeaders.map(sameHeader));
    for (const header of Object.keys(upstream.identityHeaders)) {
      const of = `${at}/identityHeaders/${header}`;
      if (!headerName.safeParse(header).success) return { at: of, found: header, expected: headerText };
      if (headers.has(sameHeader(header)))
        return {
          at: of,
          found: header,
          expected: 'a header that stands here once, and not in clientHeaders',
        };
      headers.add(sameHeader(header));
    }
    const paths = new Set<string>();
    for (const [n, rule] of rules.entries()) {
      const of = `${at}/rules/${n}/path`;
      if (!isBelow(rule.path, path)) return { at: of, found: rule.path, expected: `a path below ${path}` };
      // A guard compares paths without regard to case.
      const folder = folderOf(rule.path).toLowerCase();
      if (paths.has(folder))
        return { at: of, found: rule.path, expected: 'a path that no other rule of this application has' };
      paths.add(folder);
    }
  }
  return null;
}

/** Some servers make one variable of `X-User` and `X_User` (CGI, WSGI), so both count as the same header. */
function sameHeader(name: string): string {
  return name.toLowerCase().replaceAll('_', '-');
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || `${path}/`.startsWith(folderOf(folder) + '/');
}

type Issue = { path: PropertyKey[]; code?: string; message: string; keys?: string[] };

function mistakeOf(json: unknown, issue: Issue | undefined): UpstreamsMistake {
  const { path: at = [], code, keys = [], message = 'something else' } = issue ?? {};
  const place = `/${at.map(String).join('/')}`;
  if (code === 'unrecognized_keys') return { at: place, found: keys.join(', '), expected: 'no such name' };
  let found: unknown = json;
  for (const key of at) found = (found as Record<PropertyKey, unknown> | undefined)?.[key];
  // `JSON.stringify` fails for a list that is nested too deeply, so lists and objects are only named.
  const shown =
    found === undefined
      ? 'nothing'
      : typeof found === 'object' && found !== null
        ? Array.isArray(found)
          ? 'a list'
          : 'an object'
        : JSON.stringify(found).slice(0, 100);
  return { at: place, found: shown, expected: message };
}

function line(least: number, most: number) {
  const expected = `a text of ${least} to ${most} characters on one line`;
  return z
    .string(expects(expected))
    .check(z.minLength(least, expects(expected)), z.maxLength(most, expects(expected)))
    .check(z.regex(/^[^\u0000-\u001f\u007f]*$/, expects(expected)));
}

/** A text that a schema of the contract accepts. */
function accepted(schema: z.ZodMiniType<string, string>, expected: string) {
  return z
    .string(expects(expected))
    .check(z.refine((text) => schema.safeParse(text).success, expects(expected)));
}

function expects(error: string) {
  return { error };
}
