import { isBlank } from '#contract/text.ts';
import { asList, asObject, listOf, pairsOf, readTime, type Json } from './envelope.ts';
import { levelOf } from './event.ts';
import { exceptionsOf, stackWithoutException } from './grouping.ts';
import { messageIn, messageOf } from './message-text.ts';
import { framesOf } from './place.ts';
import { filtered, isSecretName, withoutSecrets } from './secrets.ts';
import { bounded, cut, lineOf, markedProseOf, proseOf, type Budget } from './text-of.ts';

/** Characters of a sample as JSON. */
export const mostSample = 100_000;

const most = {
  frames: 100,
  breadcrumbs: 100,
  tags: 50,
  headers: 40,
  images: 100,
  /** Characters of one text. */
  text: 2_000,
  message: 4_096,
  line: 500,
  /** Characters of the contexts, of further data, and of the data of all breadcrumbs. */
  data: 20_000,
  /** Characters of the data of one breadcrumb, and of the variables of one frame. */
  part: 4_000,
  /** Characters of all stacks. */
  stacks: 60_000,
};

type Made = Record<string, unknown>;

/**
 * The part of an event that is stored for display: fields under Sentry's names, each cleaned, cut and without
 * secrets. The person (`user`), bodies, cookies and all unknown fields are left out.
 */
export function sampleOf(event: Json): Made {
  const stacks = { characters: most.stacks };
  const exceptions = exceptionsOf(event);
  const hasStack = exceptions.some(({ stacktrace }) => framesOf(stacktrace).length > 0);
  const sample = compact({
    event_id: lineOf(event['event_id'], 36),
    timestamp: readTime(event['timestamp']) ?? undefined,
    platform: lineOf(event['platform'], 64),
    level: levelOf(event['level']) ?? undefined,
    logger: lineOf(event['logger'], 200),
    transaction: withoutSecrets(lineOf(event['transaction'], most.line)),
    server_name: lineOf(event['server_name'], 200),
    release: lineOf(event['release'], 200),
    dist: lineOf(event['dist'], 64),
    environment: lineOf(event['environment'], 64),
    message: prose(messageOf(event).text),
    exception: {
      values: fromLast(exceptions, (exception) => exceptionIn(exception, stacks)),
    },
    stacktrace: hasStack ? undefined : stackIn(stackWithoutException(event), stacks),
    breadcrumbs: breadcrumbsIn(event['breadcrumbs']),
    request: requestIn(event['request']),
    tags: tagsIn(event['tags']),
    contexts: bounded(event['contexts'], { characters: most.data }),
    extra: bounded(event['extra'], { characters: most.data }),
    sdk: {
      name: lineOf(asObject(event['sdk']) === null ? event['sdk'] : asObject(event['sdk'])?.['name'], 100),
      version: lineOf(asObject(event['sdk'])?.['version'], 40),
    },
    debug_meta: { images: imagesIn(event['debug_meta']) },
  });
  return shortened(sample);
}

/** Reads the last values first: they matter most, so they use up a budget first. */
function fromLast<T, R>(values: readonly T[], read: (value: T) => R): R[] {
  return values.toReversed().map(read).toReversed();
}

/** Leaves out what matters least until the rest fits. */
function shortened(sample: Made): Made {
  const fits = (): boolean => JSON.stringify(sample).length <= mostSample;
  if (fits()) return sample;
  const breadcrumbs = asList(sample['breadcrumbs']);
  const steps: (() => void)[] = [
    () => delete sample['extra'],
    () => (sample['breadcrumbs'] = breadcrumbs.slice(-30)),
    () => eachFrame(sample, (frame) => delete frame['vars']),
    () => (sample['contexts'] = {}),
    () => eachFrame(sample, (frame) => ['pre_context', 'post_context'].forEach((name) => delete frame[name])),
    () => (sample['breadcrumbs'] = []),
    () => (sample['debug_meta'] = { images: [] }),
    () => delete sample['request'],
    () => delete sample['tags'],
  ];
  for (const step of steps) {
    step();
    if (fits()) return sample;
  }
  // The outermost exception with the top of its stack.
  const last = exceptionsOf(sample).at(-1);
  const frames = asList(asObject(last?.['stacktrace'])?.['frames']);
  const top = { frames: frames.slice(-20) };
  return { ...sample, exception: { values: last === undefined ? [] : [{ ...last, stacktrace: top }] } };
}

function eachFrame(sample: Made, change: (frame: Made) => void): void {
  for (const exception of exceptionsOf(sample)) {
    for (const frame of asList(asObject(exception['stacktrace'])?.['frames'])) change(frame as Made);
  }
}

function exceptionIn(exception: Json, stacks: Budget): Made {
  const { mechanism: sent } = exception;
  const mechanism = asObject(sent) ?? (sent === undefined || sent === null ? null : { type: sent });
  return compact({
    type: lineOf(exception['type'], 100),
    value: prose(exception['value']),
    module: lineOf(exception['module'], 200),
    mechanism:
      mechanism === null
        ? undefined
        : compact({
            type: lineOf(mechanism['type'], 64),
            handled: typeof mechanism['handled'] === 'boolean' ? mechanism['handled'] : undefined,
          }),
    stacktrace: stackIn(exception['stacktrace'], stacks),
  });
}

function stackIn(stack: unknown, budget: Budget): Made | undefined {
  // A stack as text has its top in the first line.
  const frames =
    typeof stack === 'string'
      ? proseOf(stack, most.frames * most.line)
          .split('\n')
          .slice(0, most.frames)
          .toReversed()
          .map((line) => ({ function: line }))
      : framesOf(stack);
  if (frames.length === 0) return undefined;
  const made = fromLast(frames.slice(-most.frames), (each) => {
    const frame = asObject(each) ?? { function: each };
    if (budget.characters <= 0) return null;
    const read = frameIn(frame);
    budget.characters -= JSON.stringify(read).length;
    return read;
  });
  return { frames: made.filter((frame) => frame !== null) };
}

function frameIn(frame: Json): Made {
  const source = (value: unknown) => withoutSecrets(proseOf(value, 300));
  const around = (value: unknown) => listOf(value).slice(0, 7).map(source);
  return compact({
    filename: address(frame['filename']),
    abs_path: address(frame['abs_path']),
    module: lineOf(frame['module'], most.line),
    function: lineOf(frame['function'], 200),
    lineno: wholeNumber(frame['lineno']),
    colno: wholeNumber(frame['colno']),
    in_app: typeof frame['in_app'] === 'boolean' ? frame['in_app'] : undefined,
    debug_id: lineOf(frame['debug_id'], 64),
    context_line: source(frame['context_line']),
    pre_context: around(frame['pre_context']),
    post_context: around(frame['post_context']),
    vars: bounded(frame['vars'], { characters: most.part }, 3),
  });
}

function breadcrumbsIn(sent: unknown): Made[] {
  const values = listOf(asObject(sent)?.['values'] ?? sent).slice(-most.breadcrumbs);
  const steps = values.filter((each) => each !== null).map((each) => asObject(each) ?? { message: each });
  const budget = { characters: most.data };
  return fromLast(steps, ({ timestamp, type, category, level, message, data, ...others }) => {
    const named = asObject(data) ?? (data === undefined || data === null ? {} : { data });
    const all = Object.keys(others).length === 0 ? data : { ...named, ...others };
    return compact({
      timestamp: readTime(timestamp) ?? undefined,
      type: lineOf(type, 64),
      category: lineOf(category, 100),
      level: levelOf(level) ?? undefined,
      message: withoutSecrets(markedProseOf(messageIn(message).text, most.line)),
      data: budget.characters > 0 ? dataIn(all, budget) : undefined,
    });
  });
}

function dataIn(sent: unknown, budget: Budget): unknown {
  const own = { characters: most.part };
  const data = bounded(sent, own, 3);
  budget.characters -= most.part - own.characters;
  return data;
}

/** The request without cookies and body, and without headers that hold secrets. */
function requestIn(sent: unknown): Made | undefined {
  if (sent === undefined || sent === null) return undefined;
  const request = asObject(sent) ?? { url: sent };
  const { headers, query_string: query } = request;
  const lines =
    typeof headers === 'string'
      ? headers.split('\n').map((line) => /^([^:]*):(.*)$/s.exec(line)?.slice(1))
      : headers;
  return compact({
    url: address(request['url']),
    method: lineOf(request['method'], 20),
    query_string:
      typeof query === 'string'
        ? address(`?${query}`).slice(1)
        : textPairs(query, most.tags)
            .map(([name, value]) => `${name}=${value}`)
            .join('&'),
    headers: Object.fromEntries(
      textPairs(lines, most.headers).filter(([name]) => name !== '__proto__' && !isSecretName(name)),
    ),
  });
}

function tagsIn(sent: unknown): [string, string][] {
  return textPairs(sent, most.tags, 200);
}

/** Names and values as texts; the value is filtered where its name says that it is a secret. */
export function textPairs(sent: unknown, entries: number, length = most.text): [string, string][] {
  return pairsOf(sent)
    .slice(0, entries)
    .flatMap(([name, value]): [string, string][] => {
      const key = lineOf(name, 64);
      if (isBlank(key) || value === null) return [];
      return [[key, isSecretName(key) ? filtered : cut(withoutSecrets(lineOf(value, length)), length)]];
    });
}

function imagesIn(meta: unknown): Made[] {
  return objectsIn(asList(asObject(meta)?.['images']).slice(0, most.images)).map((image) =>
    compact({
      type: lineOf(image['type'], 40),
      code_file: address(image['code_file']),
      debug_id: lineOf(image['debug_id'], 64),
    }),
  );
}

function prose(value: unknown): string {
  return withoutSecrets(markedProseOf(value, most.message));
}

function address(value: unknown): string {
  return withoutSecrets(lineOf(value, most.text));
}

function objectsIn(values: readonly unknown[]): Json[] {
  return values.map(asObject).filter((each) => each !== null);
}

function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) && (number as number) >= 0 ? (number as number) : undefined;
}

/** The fields without missing and empty values. */
function compact(fields: Made): Made {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  );
}
