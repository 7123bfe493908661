import { browserInWords } from '@portico/contract/rules/browser-in-words';
import { asList, asObject, type Json } from './envelope.ts';
import { groupingOf, type Grouping } from './grouping.ts';
import { lineOf, lineOrNull } from './text-of.ts';

/** An event as far as its rows need it. */
export type ErrorEvent = Grouping & {
  projectId: number;
  eventId: string;
  level: string;
  release: string | null;
  environment: string | null;
  browser: string | null;
  system: string | null;
  /** What names the person that met it (`personHash`), or null. */
  person: string | null;
  /** As it was sent, for its sample. */
  sent: Json;
};

const levels = new Set(['fatal', 'error', 'warning', 'info', 'debug']);

/**
 * Reads an event that an SDK has sent. Pure.
 *
 * @param from the project; the event's id; the sender's address, for SDKs that leave it to the server; the
 *   person, where the server itself knows who sends it
 */
export function readEvent(
  sent: Json,
  from: { projectId: number; eventId: string; address: string; person: string | null },
): ErrorEvent {
  const { browser, system } = clientOf(sent);
  const level = sent['level'] === 'log' ? 'info' : lineOf(sent['level'], 10);
  return {
    ...groupingOf(from.projectId, sent),
    projectId: from.projectId,
    eventId: from.eventId,
    level: levels.has(level) ? level : 'error',
    release: lineOrNull(sent['release'], 200),
    environment: lineOrNull(sent['environment'], 64),
    browser,
    system,
    person: from.person ?? personOf(sent, from.address),
    sent,
  };
}

/** What runs the application, and on what: a browser with its version, or the runtime of a server. */
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
  const headers = asObject(event['request'])?.['headers'];
  const pairs = Array.isArray(headers) ? headers : Object.entries(asObject(headers) ?? {});
  for (const pair of pairs.slice(0, 100)) {
    const [name, value] = asList(pair);
    if (typeof name === 'string' && name.toLowerCase() === 'user-agent') return lineOf(value, 500);
  }
  return '';
}

/** The best identifier that an event has for its person. */
function personOf(event: Json, address: string): string | null {
  const user = asObject(event['user']);
  if (user === null) return null;
  for (const field of ['email', 'id', 'username', 'ip_address']) {
    const value = user[field];
    const text = lineOf(typeof value === 'number' ? String(value) : value, 254);
    if (text === '{{auto}}') return address;
    if (text !== '') return text;
  }
  return null;
}
