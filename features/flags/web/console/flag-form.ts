import {
  type Flag,
  type FlagDraft,
  type FlagRule,
  flagType,
  type FlagType,
} from '#features/flags/contract/flags.ts';
import { jsonLosses, numberLoss } from '#contract/rules/exact-json.ts';
import { isObject } from './condition-model.ts';

/** The parts of a flag that decide its value. */
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

/** The form of a new flag; rules are added later, on the flag's page. */
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

/** Parses a definition; null if the text is not one. The server checks the rest, rule by rule. */
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

/** The stored form, or null if another release stored it in another shape. */
export function readStoredForm<Form extends { type: FlagType; killSwitch: boolean }>(
  form: Form,
): Form | null {
  return flagType.options.includes(form.type) && typeof form.killSwitch === 'boolean' ? form : null;
}

/** The draft to send; null if the JSON is not a definition. */
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

/** The draft of a new flag to send; null if its value does not fit its type. */
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

/** Parses a value of a flag's type; undefined if the text is not a value of that type. */
export function readValue(type: FlagType, text: string): unknown {
  if (type === 'string') return text;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  if (type === 'number')
    return text.trim() !== '' && numberLoss(text.trim()) === null ? Number(text) : undefined;
  return parseJson(text);
}

/** Parses a JSON text; undefined if it is not JSON, or holds a value that JavaScript would read as another one. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return jsonLosses(text).length === 0 ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The text of a value after a change of type: the old text if it fits, otherwise the text of an empty value. */
export function valueForType(type: FlagType, value: string): string {
  return readValue(type, value) === undefined ? valueText(type, emptyValue(type)) : value;
}

/** The initial value of a new flag of this type. */
export function emptyValue(type: FlagType): unknown {
  return { boolean: false, string: '', number: 0, json: {} }[type];
}

/** Whether a value is of a flag's type. */
export function isOfType(type: FlagType, value: unknown): boolean {
  return type === 'json' ? value !== undefined : typeof value === type;
}

/** The definition after a change of type: a default value that does not fit becomes empty; rules stay unchanged. */
export function definitionForType(type: FlagType, definition: Definition): Definition {
  return isOfType(type, definition.defaultValue)
    ? definition
    : { ...definition, defaultValue: emptyValue(type) };
}
