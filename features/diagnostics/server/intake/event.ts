import { browserInWords } from '#contract/rules/browser-in-words.ts';
import type { ErrorLevel } from '#features/diagnostics/contract/diagnostics.ts';
import { asObject, pairsOf, type Json } from './envelope.ts';
import { groupingOf, type Grouping } from './grouping.ts';
import { lineOf, lineOrNull } from './text-of.ts';

/** The parts of an event that its database rows need. */
export type ErrorEvent = Grouping & {
  projectId: number;
  eventId: string;
  level: ErrorLevel;
  release: string | null;
  environment: string | null;
  browser: string | null;
  system: string | null;
  /** What names the person who met the error, the input of `personHash`; or null. */
  person: string | null;
  /** The event as it was sent, for its sample. */
  sent: Json;
};

const levels: Readonly<Record<string, ErrorLevel>> = {
  fatal: 'fatal',
  critical: 'fatal',
  alert: 'fatal',
  emergency: 'fatal',
  error: 'error',
  err: 'error',
  warning: 'warning',
  warn: 'warning',
  info: 'info',
  information: 'info',
  notice: 'info',
  log: 'info',
  debug: 'debug',
  trace: 'debug',
};

/** The level for a name that loggers use, or for Python's number; null for any other value. */
export function levelOf(value: unknown): ErrorLevel | null {
  const name = lineOf(value, 20).toLowerCase();
  if (/^[1-9]\d$/.test(name)) {
    return (['debug', 'info', 'warning', 'error'] as const)[Math.floor(Number(name) / 10) - 1] ?? 'fatal';
  }
  return Object.hasOwn(levels, name) ? (levels[name] ?? null) : null;
}

/**
 * Reads an event that an SDK has sent. Pure.
 *
 * @param from the project; the event's id; the sender's address, for SDKs that leave it to the server; the
 *   person, where the server itself knows who sends it
 */
export function readEvent(
  payload: Json,
  from: { projectId: number; eventId: string; address: string; person: string | null },
): ErrorEvent {
  const sent = withUsualNames(payload);
  const { browser, system } = clientOf(sent);
  return {
    ...groupingOf(from.projectId, sent),
    projectId: from.projectId,
    eventId: from.eventId,
    level: levelOf(sent['level']) ?? 'error',
    release: lineOrNull(sent['release'], 200),
    environment: lineOrNull(sent['environment'], 64),
    browser,
    system,
    person: from.person ?? personOf(sent, from.address),
    sent,
  };
}

/** Renames fields of protocol 5, such as `sentry.interfaces.Exception`, to their present names. */
function withUsualNames(payload: Json): Json {
  const older = /^sentry\.interfaces\.(\w+)$/;
  if (!Object.keys(payload).some((name) => older.test(name))) return payload;
  const renamed = Object.entries(payload).map(([name, value]) => {
    const plain = older.exec(name)?.[1]?.toLowerCase();
    return [{ message: 'logentry', http: 'request' }[plain ?? ''] ?? plain ?? name, value] as const;
  });
  return Object.fromEntries(renamed.filter(([name]) => name !== '__proto__'));
}

/** The browser, or the runtime of a server, and the operating system, each with its version. */
function clientOf(event: Json): { browser: string | null; system: string | null } {
  const contexts = asObject(event['contexts']);
  const named = browserInWords(userAgentOf(event).slice(0, 500));
  return {
    browser: versioned(contexts?.['browser']) ?? named.browser ?? versioned(contexts?.['runtime']),
    system: versioned(contexts?.['os']) ?? named.system ?? versioned(contexts?.['client_os']),
  };
}

/** Name and main version of a context, such as `node 24`. */
function versioned(context: unknown): string | null {
  const { name, version } = asObject(context) ?? {};
  const main = /^v?(\d{1,5})/.exec(lineOf(version, 40))?.[1] ?? '';
  const words = `${lineOf(name, 60)} ${main}`.trim();
  return lineOf(name, 60) === '' ? null : words;
}

/** The header `User-Agent` of the request that an event names; older SDKs write headers as pairs. */
export function userAgentOf(event: Json): string {
  for (const [name, value] of pairsOf(asObject(event['request'])?.['headers']).slice(0, 100)) {
    if (name.toLowerCase() === 'user-agent') return lineOf(value, 500);
  }
  return '';
}

/** The best identifier that an event has for its person. */
function personOf(event: Json, address: string): string | null {
  const user = asObject(event['user']) ?? { id: event['user'] };
  for (const field of ['email', 'id', 'username', 'ip_address']) {
    const value = user[field];
    const text = lineOf(value, 254);
    if (text === '{{auto}}') return address;
    if (text !== '') return text;
  }
  return null;
}
