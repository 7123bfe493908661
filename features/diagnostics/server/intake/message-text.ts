import { asObject, listOf, type Json } from './envelope.ts';
import { filtered, isSecretName } from './secrets.ts';
import { proseOf } from './text-of.ts';

const most = { message: 4_096, parameter: 500, filled: 10_000 };

/** Places of parameters: `%s`, `%5.2f`, `%1$s`, `%(name)s`, `{}`, `{0}`, `{name}`, `{@Name}`, `{0:N2}`. */
const places =
  /%%|%(?:\((?<python>[^()]{1,60})\)|(?<number>\d{1,3})\$)?[-+#0]{0,4}\d{0,4}(?:\.\d{1,4})?[sdifgeruoxXcjO]|\{[@$]?(?<braces>[\w.-]{0,60})(?:,-?\d{1,4})?(?::[^{}]{0,40})?\}/g;

/** The message of an event: as it stands in the code, and with its parameters in their places. */
export type MessageText = { template: string; text: string };

/** An event's message: a text, an object with parameters, or its log entry. Empty where it has none. */
export function messageOf(event: Json): MessageText {
  const [entry, message] = [messageIn(event['logentry']), messageIn(event['message'])];
  return entry.text === '' ? message : entry;
}

/**
 * @param value a text, or an object with `message` and `params` or `formatted`
 */
export function messageIn(value: unknown): MessageText {
  const { message, formatted, params } = asObject(value) ?? {};
  const template = proseOf(message, most.message);
  const text = proseOf(formatted, most.message) || filled(template, params);
  if (text !== '') return { template: template || text, text };
  const plain = proseOf(value, most.message);
  return { template: plain, text: plain };
}

function filled(template: string, params: unknown): string {
  const list = listOf(params);
  if (template === '' || list.length === 0) return template;
  const named = list.length === 1 ? asObject(list[0]) : null;
  const isNamed = named !== null && asObject(params) === named;
  const used = new Set<string | number>();
  let next = 0;
  let length = 0;
  const take = (key: string | number, name: string): string => {
    used.add(key);
    const value = typeof key === 'number' ? list[key] : named?.[key];
    const text = length > most.filled ? '…' : isSecretName(name) ? filtered : parameter(value);
    length += text.length;
    return text;
  };
  const text = template.replaceAll(places, (whole, ...parts) => {
    if (whole === '%%') return '%';
    const { python, number, braces } = parts.at(-1) as Record<string, string | undefined>;
    const name = python ?? braces ?? '';
    if (named !== null && name !== '' && Object.hasOwn(named, name)) return take(name, name);
    if (isNamed || python !== undefined) return whole;
    const index = number !== undefined ? Number(number) - 1 : /^\d{1,3}$/.test(name) ? Number(name) : next++;
    return index in list ? take(index, name) : whole;
  });
  const usesNames = [...used].some((key) => typeof key === 'string');
  const left = isNamed
    ? Object.entries(named).map(([name, value]) => [name, `${name}=${parameter(value)}`] as const)
    : usesNames
      ? []
      : list.map((value, index) => [index, parameter(value)] as const);
  const unused = left.filter(([key]) => !used.has(key)).map(([, value]) => value);
  return [text, ...unused.slice(0, 20)].join(' ');
}

function parameter(value: unknown): string {
  return value === null ? 'null' : proseOf(value, most.parameter);
}
