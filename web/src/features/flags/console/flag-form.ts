import { type Flag, type FlagDraft, type FlagRule, flagType, type FlagType } from '@portico/contract/flags';

/** A flag as edited in the form: values are texts until they are sent. */
export type FlagForm = {
  key: string;
  type: FlagType;
  description: string;
  /** `true`/`false`, the text itself, a number, or JSON, by the type. */
  value: string;
  rules: string;
  /** Separated by commas. */
  tags: string;
  enabled: boolean;
};

export const emptyForm: FlagForm = {
  key: '',
  type: 'boolean',
  description: '',
  value: 'false',
  rules: '[]',
  tags: '',
  enabled: false,
};

export function formOf(flag: Flag): FlagForm {
  return {
    key: flag.key,
    type: flag.type,
    description: flag.description,
    value: valueText(flag.type, flag.defaultValue),
    rules: JSON.stringify(flag.rules, null, 2),
    tags: flag.tags.join(', '),
    enabled: flag.enabled,
  };
}

export function valueText(type: FlagType, value: unknown): string {
  if (type === 'string') return typeof value === 'string' ? value : '';
  return JSON.stringify(value, null, type === 'json' ? 2 : undefined) ?? '';
}

/** The name under which the form of a new flag is stored. */
export const newFlagWork = 'flag';

/** A stored form; null: another release has written it. */
export function readStoredForm(form: FlagForm): FlagForm | null {
  return flagType.options.includes(form.type) ? form : null;
}

/** The content of the form, or which field cannot be read. */
export type ReadForm = { draft: FlagDraft } | { wrong: 'value' | 'rules' };

/** Reads the texts by the flag's type. The server checks the rest, rule by rule. */
export function readForm(form: FlagForm): ReadForm {
  const value = readValue(form.type, form.value);
  if (value === undefined) return { wrong: 'value' };
  const rules = parse(form.rules);
  if (!Array.isArray(rules) || !rules.every(isRule)) return { wrong: 'rules' };
  const tags = form.tags
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  return {
    draft: {
      type: form.type,
      description: form.description,
      defaultValue: value,
      rules,
      tags: [...new Set(tags)],
    },
  };
}

/** Undefined where the text is not a value of that type. */
function readValue(type: FlagType, text: string): unknown {
  if (type === 'string') return text;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  if (type === 'number')
    return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined;
  return parse(text);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isRule(value: unknown): value is FlagRule {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value after a change of type, if the old one does not fit. */
export function valueForType(type: FlagType, value: string): string {
  if (readValue(type, value) !== undefined) return value;
  return { boolean: 'false', string: '', number: '0', json: '{}' }[type];
}
