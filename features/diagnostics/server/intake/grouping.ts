import { createHash } from 'node:crypto';
import { asObject, listOf, type Json } from './envelope.ts';
import { messageOf } from './message-text.ts';
import { framesOf, placeOf } from './place.ts';
import { withoutSecrets } from './secrets.ts';
import { lineOf, proseOf } from './text-of.ts';

/** Characters of a message that are read for its template. */
const mostLooked = 1_000;

/**
 * Parts of a message that change from event to event, the longer forms first. Each pattern is one run of a class
 * of characters, or several runs that cannot match the same text, so no pattern reads a text more than a few times.
 */
const variables: readonly [RegExp, string][] = [
  [/\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'`<>)\]}]+/gi, '<url>'],
  [/\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g, '<email>'],
  [
    /"[^"\n]{0,500}"|“[^”\n]{0,500}”|«[^»\n]{0,500}»|`[^`\n]{0,500}`|(?<![\w])'[^'\n]{0,500}'(?![\w])/g,
    '<text>',
  ],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<id>'],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?/g, '<time>'],
  [/(?<![\w/])(?:[A-Za-z]:)?(?:[\\/][\w.@~%+-]{1,100}){2,40}[\\/]?/g, '<path>'],
  [/\b0x[0-9a-f]+\b/gi, '<id>'],
  [/\b(?=[0-9a-f]*\d)(?=\d*[a-f])[0-9a-f]{6,128}\b/gi, '<id>'],
  [/\b(?=\w*\d)(?=\w*[A-Za-z])\w{16,128}\b/g, '<id>'],
  [/(?<![A-Za-z_])[+-]?\d+(?:[.,:]\d+)*(?:e[+-]?\d+)?/gi, '<n>'],
];

/** What an event has in common with others of its group. */
export type Grouping = {
  /** A hash, equal for all events of one group in a project. */
  fingerprint: string;
  /** Such as `TypeError`; `Message` where no exception was thrown. */
  kind: string;
  message: string;
  place: string;
};

const mostMessage = 1_000;
const mostParts = 20;

/** Which group of a project an event belongs to. Pure. */
export function groupingOf(projectId: number, event: Json): Grouping {
  const { kind, message, template, place, name } = factsOf(event);
  const usual = [kind, place, template];
  const wanted = listOf(event['fingerprint']).slice(0, mostParts);
  const parts =
    wanted.length === 0
      ? usual
      : wanted.flatMap((part) => {
          const text = lineOf(part, 200);
          const variable = /^\{\{\s*([\w.]+)\s*\}\}$/.exec(text)?.[1];
          if (variable === 'default') return usual;
          return [valueOf(variable, event, { kind, template, place, name }) ?? text];
        });
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([projectId, ...parts]))
    .digest('base64url');
  return { fingerprint, kind, message, place };
}

type Facts = { kind: string; message: string; template: string; place: string; name: string };

function factsOf(event: Json): Facts {
  const exceptions = exceptionsOf(event);
  // Sentry's order is from the cause to the exception that was caught last: the one that is seen.
  const outermost = exceptions.at(-1);
  if (outermost === undefined) return factsOfMessage(event);
  const message = withoutSecrets(proseOf(outermost['value'], mostMessage));
  const thrown = exceptions.findLast((each) => framesOf(each['stacktrace']).length > 0);
  const place = placeOf(thrown?.['stacktrace']);
  // A message with a stack comes as an exception without a type.
  const module = lineOf(outermost['module'], 100);
  const kind = lineOf(outermost['type'], 100) || module || 'Message';
  return {
    kind,
    message,
    template: templateOf(message),
    place: place || placeWithoutStack(event),
    name: kind,
  };
}

function factsOfMessage(event: Json): Facts {
  const { template, text } = messageOf(event);
  const message = proseOf(withoutSecrets(text), mostMessage);
  const place = placeOf(stackWithoutException(event));
  return {
    kind: 'Message',
    message: message || 'No message',
    template: templateOf(proseOf(template, mostMessage)),
    place: place || placeWithoutStack(event),
    name: '',
  };
}

const ofException = ['type', 'value', 'module', 'mechanism', 'stacktrace'];

/** The exceptions of an event, from the cause to the outermost; any other entry becomes a `value`. */
export function exceptionsOf(event: Json): Json[] {
  const { exception } = event;
  const held = asObject(exception);
  return listOf(held !== null && 'values' in held ? held['values'] : exception)
    .slice(-mostParts)
    .filter((each) => each !== null)
    .map((each) => {
      const known = asObject(each);
      return known !== null && ofException.some((name) => name in known) ? known : { value: each };
    });
}

/** The stack of a message, or that of the thread that sent it. */
export function stackWithoutException(event: Json): unknown {
  const { stacktrace, threads } = event;
  if (stacktrace !== undefined) return stacktrace;
  const all = listOf(asObject(threads)?.['values'] ?? threads)
    .map(asObject)
    .filter((each) => each?.['stacktrace']);
  return (all.find((each) => each?.['crashed'] === true || each?.['current'] === true) ?? all[0])?.[
    'stacktrace'
  ];
}

function placeWithoutStack(event: Json): string {
  const names = [event['transaction'], event['culprit'], event['logger']];
  return withoutSecrets(names.map((name) => lineOf(name, 200)).find((name) => name !== '') ?? '');
}

/** The value of a fingerprint variable, as Sentry's documents call it; undefined for an unknown one. */
function valueOf(
  variable: string | undefined,
  event: Json,
  { kind, template, place, name }: Omit<Facts, 'message'>,
) {
  switch (variable) {
    case 'type':
    case 'error.type':
      return name || kind;
    case 'message':
    case 'error.value':
      return template;
    case 'function':
    case 'stack.function':
    case 'stack.module':
    case 'module':
      return place;
    case 'transaction':
      return lineOf(event['transaction'], 200);
    case 'level':
      return lineOf(event['level'], 20);
    case 'logger':
      return lineOf(event['logger'], 200);
    default:
      return undefined;
  }
}

/** A message with placeholders for its variable parts: equal for messages that differ only in these parts. */
export function templateOf(message: string): string {
  let text = message.slice(0, mostLooked);
  for (const [pattern, placeholder] of variables) text = text.replaceAll(pattern, placeholder);
  return text.replaceAll(/\s+/g, ' ').trim();
}
