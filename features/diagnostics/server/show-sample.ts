import type {
  Breadcrumb,
  ErrorSample,
  StackFrame,
  ThrownError,
} from '#features/diagnostics/contract/diagnostics.ts';
import { pairsOf } from './intake/envelope.ts';
import { levelOf } from './intake/event.ts';

/** Limits of what is shown of one event; the intake already limits what is stored. */
const most = { errors: 20, frames: 250, breadcrumbs: 100, fields: 100, contexts: 30, text: 4_000 } as const;

/** Fields of an event that are shown among its tags. */
const asTags = ['logger', 'server_name', 'dist'];

type Fields = ErrorSample['tags'];
type Members = Readonly<Record<string, unknown>>;

/**
 * Turns an event as an SDK sent it (develop.sentry.dev, "Event payloads") into what is shown. Parts of a wrong
 * shape are left out; no part is assumed to be there.
 */
export function showSample(event: unknown): ErrorSample {
  const sent = members(event);
  const thrown = valuesOf(sent['exception']).slice(-most.errors).toReversed().map(thrownError);
  const message = messageOf(sent);
  // The stack of a message, which `captureMessage` sends if told to, or the stack of an error's thread.
  const frames = framesOf(sent['stacktrace']);
  const first = thrown[0] ?? { kind: 'Message', message: message ?? '', mechanism: null, handled: null };
  const hasStack = thrown.some((error) => error.frames.length > 0);
  const errors = frames.length > 0 && !hasStack ? [{ ...first, frames }, ...thrown.slice(1)] : thrown;
  return {
    errors,
    message: errors.some((error) => error.message === message) ? null : message,
    level: levelOf(sent['level']) ?? 'error',
    platform: text(sent['platform']) ?? 'other',
    sdk: sdkOf(members(sent['sdk'])),
    happenedAt: timeOf(sent['timestamp']),
    transaction: text(sent['transaction']),
    breadcrumbs: valuesOf(sent['breadcrumbs']).slice(-most.breadcrumbs).map(breadcrumbOf),
    tags: [...fieldsOf(sent['tags']), ...asTags.flatMap((name) => fieldsOf({ [name]: sent[name] }))],
    contexts: contextsOf(sent['contexts']),
    extra: fieldsOf(sent['extra']),
    request: requestOf(sent['request']),
    withoutSourceMap: [],
  };
}

/** The id of the failed call in the server's log, from the tag that Portico's web sets. */
export function requestIdOf({ tags }: Pick<ErrorSample, 'tags'>): string | null {
  return tags.find(({ name }) => name === 'request_id')?.value ?? null;
}

function thrownError(value: unknown): ThrownError {
  const error = members(value);
  const mechanism = members(error['mechanism']);
  return {
    kind: text(error['type']) ?? 'Error',
    message: text(error['value']) ?? '',
    mechanism: text(mechanism['type']),
    handled: typeof mechanism['handled'] === 'boolean' ? mechanism['handled'] : null,
    frames: framesOf(error['stacktrace']),
  };
}

/** Sentry's SDKs send the innermost call last. */
function framesOf(stack: unknown): StackFrame[] {
  return list(members(stack)['frames']).slice(-most.frames).toReversed().map(frameOf);
}

function frameOf(value: unknown): StackFrame {
  const frame = members(value);
  const file = text(frame['filename']) ?? text(frame['abs_path']) ?? text(frame['module']) ?? '';
  const line = count(frame['lineno']);
  return {
    file,
    function: text(frame['function']),
    line,
    column: count(frame['colno']),
    inApp: typeof frame['in_app'] === 'boolean' ? frame['in_app'] : !file.includes('node_modules'),
    context: line === null ? [] : contextOf(frame, line),
    variables: fieldsOf(frame['vars']),
    generated: null,
  };
}

/** The source lines that the SDK itself sent, as the SDK for Node does. */
function contextOf(frame: Members, line: number): StackFrame['context'] {
  const own = text(frame['context_line']);
  if (own === null) return [];
  const [before, after] = [lines(frame['pre_context']), lines(frame['post_context'])];
  return [...before, own, ...after].map((content, index) => ({
    line: line - before.length + index,
    text: content,
  }));
}

function lines(value: unknown): string[] {
  return list(value)
    .slice(0, 10)
    .map((each) => text(each) ?? '');
}

function breadcrumbOf(value: unknown): Breadcrumb {
  const crumb = members(value);
  return {
    at: timeOf(crumb['timestamp']),
    type: text(crumb['type']) ?? 'default',
    category: text(crumb['category']) ?? '',
    level: levelOf(crumb['level']) ?? 'info',
    message: text(crumb['message']) ?? '',
    data: fieldsOf(crumb['data']),
  };
}

function messageOf(sent: Members): string | null {
  const entry = members(sent['logentry']);
  return (
    text(entry['formatted']) ??
    text(entry['message']) ??
    text(sent['message']) ??
    text(members(sent['message'])['formatted'])
  );
}

function sdkOf(sdk: Members): string | null {
  const name = text(sdk['name']);
  return name === null ? null : `${name} ${text(sdk['version']) ?? ''}`.trim();
}

function contextsOf(contexts: unknown): ErrorSample['contexts'] {
  const isNamed = typeof contexts === 'object' && !Array.isArray(contexts);
  return Object.entries(isNamed ? members(contexts) : { contexts })
    .slice(0, most.contexts)
    .map(([name, context]) => ({
      name: cut(name, 100),
      fields: fieldsOf(context).filter((field) => field.name !== 'type'),
    }))
    .filter(({ fields }) => fields.length > 0);
}

function requestOf(value: unknown): ErrorSample['request'] {
  const request = members(value);
  const [address, query] = [text(request['url']) ?? '', text(request['query_string'])];
  const url = query === null || address.includes('?') ? address : `${address}?${query}`;
  const [method, headers] = [text(request['method']), fieldsOf(request['headers'])];
  return url === '' && method === null && headers.length === 0 ? null : { method, url, headers };
}

/** Names and values, however they are written. */
function fieldsOf(value: unknown): Fields {
  return pairsOf(value)
    .filter(([, each]) => each !== null && each !== undefined)
    .slice(0, most.fields)
    .map(([name, each]) => ({ name: cut(name, 200), value: asText(each) }));
}

function asText(value: unknown): string {
  return typeof value === 'string' ? cut(value, most.text) : cut(JSON.stringify(value) ?? '', most.text);
}

/** A list, or the member `values` of an object, which older SDKs send. */
function valuesOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : list(members(value)['values']);
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function members(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? cut(value, most.text) : null;
}

function cut(value: string, length: number): string {
  return value.length <= length ? value : `${value.slice(0, length).toWellFormed()}…`;
}

function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** Seconds since 1970, or a date as text (RFC 3339); answers milliseconds. */
function timeOf(value: unknown): number | null {
  const time = typeof value === 'number' ? value * 1_000 : typeof value === 'string' ? Date.parse(value) : -1;
  const whole = Math.round(time);
  return whole >= 0 && whole <= 8_640_000_000_000_000 ? whole : null;
}
