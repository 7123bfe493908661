import { asList, asObject, type Json } from './envelope.ts';
import { exceptionsOf } from './grouping.ts';
import { filtered, isSecretName, withoutSecrets } from './secrets.ts';
import { lineOf, proseOf } from './text-of.ts';

/** Characters of a sample as JSON. */
export const mostSample = 100_000;

const most = {
  frames: 100,
  breadcrumbs: 100,
  tags: 50,
  headers: 40,
  images: 100,
  /** Of one text. */
  text: 2_000,
  message: 4_096,
  line: 500,
  levels: 6,
  entries: 100,
};

type Made = Record<string, unknown>;

/**
 * What is stored of an event to be looked at: fields under Sentry's names, each cleaned, cut and without
 * secrets. What names the person is left out (`user`), and so are bodies, cookies and everything unknown.
 */
export function sampleOf(event: Json): Made {
  const sample = compact({
    event_id: lineOf(event['event_id'], 36),
    timestamp: timeOf(event['timestamp']),
    platform: lineOf(event['platform'], 64),
    level: lineOf(event['level'], 10),
    logger: lineOf(event['logger'], 200),
    transaction: lineOf(event['transaction'], most.line),
    server_name: lineOf(event['server_name'], 200),
    release: lineOf(event['release'], 200),
    dist: lineOf(event['dist'], 64),
    environment: lineOf(event['environment'], 64),
    message: messageOf(event),
    exception: { values: exceptionsOf(event).map(exceptionIn) },
    stacktrace: stackIn(event['stacktrace']),
    breadcrumbs: breadcrumbsIn(event['breadcrumbs']),
    request: requestIn(event['request']),
    tags: tagsIn(event['tags']),
    contexts: bounded(event['contexts'], most.levels),
    extra: bounded(event['extra'], most.levels),
    sdk: {
      name: lineOf(asObject(event['sdk'])?.['name'], 100),
      version: lineOf(asObject(event['sdk'])?.['version'], 40),
    },
    debug_meta: { images: imagesIn(event['debug_meta']) },
  });
  return shortened(sample);
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

function messageOf(event: Json): string {
  const entry = asObject(event['logentry']) ?? asObject(event['message']);
  return prose(entry?.['formatted'] ?? entry?.['message'] ?? event['message']);
}

function exceptionIn(exception: Json): Made {
  const mechanism = asObject(exception['mechanism']);
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
    stacktrace: stackIn(exception['stacktrace']),
  });
}

function stackIn(stack: unknown): Made | undefined {
  const frames = asList(asObject(stack)?.['frames']);
  if (frames.length === 0) return undefined;
  return { frames: objectsIn(frames.slice(-most.frames)).map(frameIn) };
}

function frameIn(frame: Json): Made {
  const source = (value: unknown) => withoutSecrets(proseOf(value, 300));
  const around = (value: unknown) => asList(value).slice(0, 7).map(source);
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
    vars: bounded(frame['vars'], 2),
  });
}

function breadcrumbsIn(sent: unknown): Made[] {
  const values = Array.isArray(sent) ? sent : asList(asObject(sent)?.['values']);
  return objectsIn(values.slice(-most.breadcrumbs)).map((crumb) =>
    compact({
      timestamp: timeOf(crumb['timestamp']),
      type: lineOf(crumb['type'], 64),
      category: lineOf(crumb['category'], 100),
      level: lineOf(crumb['level'], 10),
      message: withoutSecrets(proseOf(crumb['message'], most.line)),
      data: bounded(crumb['data'], 3),
    }),
  );
}

/** Without cookies and bodies; of the headers only those that are no secret. */
function requestIn(sent: unknown): Made | undefined {
  const request = asObject(sent);
  if (request === null) return undefined;
  const headers = Array.isArray(request['headers'])
    ? request['headers'].map(asList)
    : Object.entries(asObject(request['headers']) ?? {});
  return compact({
    url: address(request['url']),
    method: lineOf(request['method'], 20),
    query_string:
      typeof request['query_string'] === 'string' ? address(`?${request['query_string']}`).slice(1) : '',
    headers: Object.fromEntries(
      headers
        .slice(0, most.headers)
        .map(([name, value]): [string, string] => [lineOf(name, 100), address(value)])
        .filter(([name]) => name !== '' && name !== '__proto__' && !isSecretName(name)),
    ),
  });
}

function tagsIn(sent: unknown): [string, string][] {
  const pairs = Array.isArray(sent) ? sent.map(asList) : Object.entries(asObject(sent) ?? {});
  return pairs.slice(0, most.tags).flatMap(([name, value]): [string, string][] => {
    const key = lineOf(name, 64);
    const plain = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
    return key === '' ? [] : [[key, isSecretName(key) ? filtered : withoutSecrets(lineOf(plain, 200))]];
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

/** Any value within bounds, its texts cleaned and what is secret by its name left out. */
function bounded(value: unknown, levels: number): unknown {
  if (typeof value === 'string') return withoutSecrets(proseOf(value, most.text));
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  if (typeof value !== 'object') return undefined;
  if (levels === 0) return Array.isArray(value) ? '[…]' : '{…}';
  if (Array.isArray(value))
    return value.slice(0, most.entries).map((each) => bounded(each, levels - 1) ?? null);
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, most.entries)
      .map(([name, each]): [string, unknown] => {
        const key = lineOf(name, 100);
        return [key, isSecretName(key) ? filtered : bounded(each, levels - 1)];
      })
      .filter(([key, each]) => key !== '' && key !== '__proto__' && each !== undefined),
  );
}

function prose(value: unknown): string {
  return withoutSecrets(proseOf(value, most.message));
}

function address(value: unknown): string {
  return withoutSecrets(lineOf(value, most.text));
}

function objectsIn(values: readonly unknown[]): Json[] {
  return values.map(asObject).filter((each) => each !== null);
}

function wholeNumber(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
}

/** Seconds since 1970, as SDKs send it; older ones send ISO 8601. */
function timeOf(value: unknown): number | undefined {
  if (typeof value === 'number' && value > 0 && value < 1e11) return value;
  const parsed = typeof value === 'string' && value.length < 40 ? Date.parse(value) : Number.NaN;
  return Number.isNaN(parsed) ? undefined : parsed / 1000;
}

/** Without what is missing or empty. */
function compact(fields: Made): Made {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  );
}
