import type { FlagRule } from '#features/flags/contract/flags.ts';
import { timingOf } from '#features/flags/contract/schedules.ts';
import type { TFunction } from 'i18next';
import { minutesInWords } from '#web/platform/time/days.ts';
import { catalogueKey, isolated } from '#web/platform/i18n/isolated.ts';
import { operandKind, type ConditionNode, type ConditionRow, type Operator } from './condition-model.ts';
import { partsOf, type RuleResult, type Prerequisite, type RuleParts } from './rule-parts.ts';
import type { ServedValue } from './flag-words.ts';

/** Translations, the locale for numbers and lists, and the names of segments and projects. */
export type SentenceOptions = {
  t: TFunction;
  locale: string;
  /** The name of a segment by its id; left out: the id. */
  segmentName?: (id: string) => string;
  /** Those that are known. */
  projects?: readonly { id: number; name: string }[];
};

// Markers (Unicode private use) around names and values. Translations may move them; `markedParts` splits by
// them.
const marks = { name: ['\ue000', '\ue001'], value: ['\ue002', '\ue003'] } as const;

const name = (text: string) => `${marks.name[0]}${isolated(unmarked(text))}${marks.name[1]}`;
const code = (text: string) => `${marks.value[0]}${isolated(unmarked(text))}${marks.value[1]}`;

/** A sentence as plain text. */
export function unmarked(sentence: string): string {
  return sentence.replaceAll(/[\ue000-\ue003]/g, '');
}

export type MarkedPart = { kind: 'words' | 'name' | 'value'; text: string };

/** The words, names and values of a sentence, in order. */
export function markedParts(sentence: string): MarkedPart[] {
  return sentence
    .split(/(\ue000[^\ue001]*\ue001|\ue002[^\ue003]*\ue003)/)
    .filter((part) => part !== '')
    .map((part) => ({
      kind: part.startsWith(marks.name[0]) ? 'name' : part.startsWith(marks.value[0]) ? 'value' : 'words',
      text: unmarked(part),
    }));
}

const longestShown = 40;

/** A value in a few characters; a text has no quotes if it cannot be mistaken for another value. */
export function shortValue(value: unknown): string {
  const plain =
    typeof value === 'string' && value !== '' && !/^(?:true|false|null|[-\d{["].*|\s.*|.*\s)$/.test(value);
  const written = plain ? value : (JSON.stringify(value) ?? '');
  const line = written.replaceAll(/\s+/g, ' ');
  return line.length > longestShown ? `${line.slice(0, longestShown - 1)}…` : line;
}

export function percent(share: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }).format(share);
}

/** A rule as a sentence: "If role is operator or support", with its times and steps. */
export function describeRule(rule: FlagRule, options: SentenceOptions): string {
  const { schedule, ramp } = timingOf(rule);
  const { t, locale, projects } = options;
  let sentence = describeAudience(rule, options);
  if (schedule === undefined) return sentence;
  const { from, until, zone } = schedule;
  const time = (at: number) => name(timeInWords(at, zone, locale));
  if (from !== undefined) sentence = t('FLAGS.SAY.FROM', { rule: sentence, time: time(from) });
  const later = (ramp?.steps ?? []).slice(1).map(({ coverage }, place) =>
    t('FLAGS.SAY.STEP', {
      share: name(percent(coverage, locale)),
      time: minutesInWords(locale, ramp?.steps[place]?.minutes ?? 0),
    }),
  );
  if (later.length > 0)
    sentence = t('FLAGS.SAY.THEN', {
      rule: sentence,
      steps: new Intl.ListFormat(locale, { type: 'unit' }).format(later),
    });
  if (until !== undefined) sentence = t('FLAGS.SAY.UNTIL', { rule: sentence, time: time(until) });
  if (ramp?.guard === undefined) return sentence;
  const { project, events, factor, minutes } = ramp.guard;
  const known = projects?.find(({ id }) => id === project)?.name;
  return t('FLAGS.SAY.GUARD', {
    rule: sentence,
    project: known === undefined ? t('FLAGS.SAY.PROJECT', { number: project }) : name(known),
    count: events,
    factor: new Intl.NumberFormat(locale).format(factor),
    time: minutesInWords(locale, minutes),
  });
}

/** `Monday, 30 November 2026 at 09:00 (Berlin)` */
function timeInWords(at: number, timeZone: string, locale: string): string {
  const place = (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ');
  const words = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'full', timeStyle: 'short' }).format(
    at,
  );
  return `${words} (${place})`;
}

/** Whom a rule is for. */
function describeAudience(rule: FlagRule, options: SentenceOptions): string {
  const parts = partsOf(rule);
  const { t } = options;
  const asked = [
    ...(parts.prerequisites ?? []).map((each) => describePrerequisite(each, options)),
    ...(parts.condition === undefined || isEmpty(parts.condition)
      ? []
      : [describeCondition(parts.condition, options, false)]),
    ...unworded
      .filter((field) => Object.hasOwn(parts.rest, field))
      .map((field) => t('FLAGS.SAY.ALSO', { field: code(field) })),
  ];
  const share = shareOf(parts);
  const attribute = name(
    parts.hashAttribute === undefined || parts.hashAttribute === '' ? 'id' : parts.hashAttribute,
  );
  const shown = share === null ? null : name(percent(share, options.locale));
  if (asked.length > 0) {
    const condition = asked.join(` ${t('FLAGS.SAY.AND')} `);
    if (shown !== null) return t('FLAGS.SAY.IF_SHARE', { condition, share: shown, attribute });
    return t(parts.result.kind === 'split' ? 'FLAGS.SAY.IF_SPLIT' : 'FLAGS.SAY.IF', { condition, attribute });
  }
  if (shown !== null) return t('FLAGS.SAY.SHARE', { share: shown, attribute });
  return t(parts.result.kind === 'split' ? 'FLAGS.SAY.EVERYONE_SPLIT' : 'FLAGS.SAY.EVERYONE', { attribute });
}

/** Fields that narrow the audience of a rule and have no sentence of their own; sentences name these fields. */
const unworded = [
  'condition',
  'parentConditions',
  'filters',
  'namespace',
  'range',
  'coverage',
  'ranges',
  'schedule',
  'ramp',
];

function shareOf({ ramp, coverage = ramp?.steps[0]?.coverage }: RuleParts): number | null {
  return coverage === undefined || coverage === 1 ? null : coverage;
}

function isEmpty(node: ConditionNode): boolean {
  return node.kind === 'group' && node.join === 'fields' && node.children.length === 0;
}

/** @param inside whether the node is part of another condition; then several parts are put in brackets */
export function describeCondition(node: ConditionNode, options: SentenceOptions, inside = true): string {
  const { t } = options;
  if (node.kind === 'row') return describeConditionRow(node, options);
  if (node.kind === 'json') return code(shortValue(node.json));
  const { join, children } = node;
  if (children.length === 0) return t(`FLAGS.SAY.NONE.${catalogueKey(joinWord(join))}`);
  const word = t(join === '$or' || join === '$nor' ? 'FLAGS.SAY.OR' : 'FLAGS.SAY.AND');
  const negated = join === '$nor' || join === '$not';
  const all = children.map((each) => describeCondition(each, options)).join(` ${word} `);
  if (negated) return t('FLAGS.SAY.NOT', { condition: all });
  return inside && children.length > 1 ? `(${all})` : all;
}

/** The name of a join in the texts. */
export function joinWord(join: string): string {
  return join === 'fields' ? 'and' : join.slice(1);
}

/** The name of an operator in the texts. */
export function operatorWord(operator: Operator): string {
  return operator.replace('$', '');
}

export function describeConditionRow(
  { attribute, operator, operand }: ConditionRow,
  { t, locale, segmentName = (id) => id }: SentenceOptions,
): string {
  const values = new Intl.ListFormat(locale, {
    type: operator === '$all' || operator === '$alli' ? 'conjunction' : 'disjunction',
  });
  const list =
    operandKind(operator) === 'segment'
      ? [operand === '' ? '…' : name(segmentName(String(operand)))]
      : (Array.isArray(operand) ? operand : [operand]).map((each) => code(shortValue(each)));
  const word = operator === '$exists' && operand === false ? 'unset' : operatorWord(operator);
  return t(`FLAGS.SAY.OPERATORS.${catalogueKey(word)}`, {
    attribute: name(attribute === '' ? '…' : attribute),
    value: list.length === 0 ? '…' : values.format(list),
  });
}

function describePrerequisite({ id, condition }: Prerequisite, options: SentenceOptions): string {
  const { t } = options;
  const flag = name(id === '' ? '…' : id);
  if (condition === undefined || isEmpty(condition)) return t('FLAGS.SAY.FLAG_ANY', { flag });
  const [row, ...more] =
    condition.kind === 'group' && condition.join === 'fields' ? condition.children : [condition];
  if (row?.kind === 'row' && row.attribute === 'value' && more.length === 0)
    return t('FLAGS.SAY.FLAG', { condition: describeConditionRow({ ...row, attribute: id }, options) });
  return t('FLAGS.SAY.FLAG_WITH', { flag, condition: describeCondition(condition, options) });
}

/** The values that a rule serves, with their shares where there are several. */
export function resultValues(result: RuleResult): { value: unknown; weight: number | null }[] {
  if (result.kind === 'nothing') return [];
  if (result.kind === 'value') return [{ value: result.value, weight: null }];
  const { variations, weights } = result;
  return variations.map((value, index) => ({ value, weight: weights?.[index] ?? 1 / variations.length }));
}

/** If a flag serves more values than this, only the first ones and the last one are shown. */
const mostServed = 4;

/** What a flag serves, in a few words: "2 rules → true, otherwise false". */
export function describeServedValues(served: readonly ServedValue[], { t, locale }: SentenceOptions): string {
  const left = served.length > mostServed ? served.slice(mostServed - 2, -1) : [];
  return served
    .flatMap((one) => {
      if (left.includes(one)) return one === left[0] ? [t('FLAGS.SERVES.MORE', { count: left.length })] : [];
      const value = shortValue(one.value);
      if (one.to === 'share') return t('FLAGS.SERVES.SHARE', { share: percent(one.share, locale), value });
      if (one.to === 'rules') return t('FLAGS.SERVES.RULES', { count: one.rules, value });
      return t(`FLAGS.SERVES.${catalogueKey(one.to)}`, { value });
    })
    .join(', ');
}
