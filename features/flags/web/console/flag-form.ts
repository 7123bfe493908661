import {
  type Flag,
  type FlagDraft,
  type FlagRule,
  flagType,
  type FlagType,
} from '#features/flags/contract/flags.ts';
import { jsonLosses, numberLoss } from '#contract/rules/exact-json.ts';
import { isObject } from './condition-model.ts';

/** What decides a flag's value. */
export type Definition = { defaultValue: unknown; rules: readonly FlagRule[] };

/** A flag as edited on its page. The builder and the field for JSON change the same text. */
export type FlagForm = {
  type: FlagType;
  description: string;
  /** Separated by commas. */
  tags: string;
  forSignedOut: boolean;
  killSwitch: boolean;
  /** `{"defaultValue": …, "rules": […]}`, as GrowthBook's clients receive it. */
  json: string;
};

/** A new flag: rules are added on its page. */
export type NewFlagForm = {
  key: string;
  type: FlagType;
  description: string;
  /** `true`/`false`, the text itself, a number, or JSON, by the type. */
  value: string;
  tags: string;
  forSignedOut: boolean;
  killSwitch: boolean;
  enabled: boolean;
};

export const emptyForm: NewFlagForm = {
  key: '',
  type: 'boolean',
  description: '',
  value: 'false',
  tags: '',
  forSignedOut: false,
  killSwitch: false,
  enabled: false,
};

/** The name under which the form of a new flag is stored. */
export const newFlagWork = 'flag';

export function formOf(
  flag: Pick<
    Flag,
    'type' | 'description' | 'tags' | 'forSignedOut' | 'killSwitch' | 'defaultValue' | 'rules'
  >,
): FlagForm {
  return {
    type: flag.type,
    description: flag.description,
    tags: flag.tags.join(', '),
    forSignedOut: flag.forSignedOut,
    killSwitch: flag.killSwitch,
    json: jsonOf(flag),
  };
}

export function jsonOf({ defaultValue, rules }: Definition): string {
  return JSON.stringify({ defaultValue, rules }, null, 2);
}

/** The definition in a text; null where it is none. The server checks the rest, rule by rule. */
export function definitionIn(json: string): Definition | null {
  const parsed = parseJson(json);
  if (!isObject(parsed)) return null;
  const { defaultValue, rules = [], ...others } = parsed;
  if (defaultValue === undefined || Object.keys(others).length > 0) return null;
  return Array.isArray(rules) && rules.every(isObject) ? { defaultValue, rules } : null;
}

/** Whether two forms would save the same, however the JSON is laid out. */
export function sameForm(one: FlagForm, other: FlagForm): boolean {
  const said = ({ json, ...others }: FlagForm) => JSON.stringify([others, parseJson(json) ?? json]);
  return one === other || said(one) === said(other);
}

/** A stored form; null: another release has written it. */
export function readStoredForm<Form extends { type: FlagType; killSwitch: boolean }>(
  form: Form,
): Form | null {
  return flagType.options.includes(form.type) && typeof form.killSwitch === 'boolean' ? form : null;
}

/** What is sent; null where the JSON is none. */
export function draftOf({
  type,
  description,
  tags,
  forSignedOut,
  killSwitch,
  json,
}: FlagForm): FlagDraft | null {
  const definition = definitionIn(json);
  if (definition === null) return null;
  const { defaultValue, rules } = definition;
  return { type, description, tags: tagsIn(tags), forSignedOut, killSwitch, defaultValue, rules: [...rules] };
}

/** What is sent of a new flag; null where its value does not fit its type. */
export function newDraftOf({
  type,
  description,
  tags,
  forSignedOut,
  killSwitch,
  value,
}: NewFlagForm): FlagDraft | null {
  const defaultValue = readValue(type, value);
  if (defaultValue === undefined) return null;
  return { type, description, tags: tagsIn(tags), forSignedOut, killSwitch, defaultValue, rules: [] };
}

function tagsIn(text: string): string[] {
  const tags = text.split(',').map((tag) => tag.trim());
  return [...new Set(tags.filter((tag) => tag !== ''))];
}

export function valueText(type: FlagType, value: unknown): string {
  if (type === 'string') return typeof value === 'string' ? value : '';
  return JSON.stringify(value, null, type === 'json' ? 2 : undefined) ?? '';
}

/** Undefined where the text is not a value of that type. */
export function readValue(type: FlagType, text: string): unknown {
  if (type === 'string') return text;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  if (type === 'number')
    return text.trim() !== '' && numberLoss(text.trim()) === null ? Number(text) : undefined;
  return parseJson(text);
}

/** The value of a JSON text; undefined where it is none, or holds a value that would be read as another one. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return jsonLosses(text).length === 0 ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The text of a value after a change of type, if the old one does not fit. */
export function valueForType(type: FlagType, value: string): string {
  return readValue(type, value) === undefined ? valueText(type, emptyValue(type)) : value;
}

/** The first value that a flag of this type is given. */
export function emptyValue(type: FlagType): unknown {
  return { boolean: false, string: '', number: 0, json: {} }[type];
}

/** Whether a value is of a flag's type. */
export function isOfType(type: FlagType, value: unknown): boolean {
  return type === 'json' ? value !== undefined : typeof value === type;
}

/** The definition after a change of type: its own value, if the old one does not fit. Rules stay as they are. */
export function definitionForType(type: FlagType, definition: Definition): Definition {
  return isOfType(type, definition.defaultValue)
    ? definition
    : { ...definition, defaultValue: emptyValue(type) };
}
