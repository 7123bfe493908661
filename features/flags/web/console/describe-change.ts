import type { FlagRule, FlagVersion } from '#features/flags/contract/flags.ts';
import { stepAt, timingOf } from '#features/flags/contract/schedules.ts';
import { sameJson } from '#features/audit/web/difference.ts';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { describeRule, percent, resultValues, shortValue, type SentenceOptions } from './describe-rule.ts';
import { partsOf } from './rule-parts.ts';

type State = FlagVersion['flag'];

/** Describes each difference of a flag in a sentence such as "Rule 2: 20 % → 50 %"; empty if nothing differs. */
export function describeChange(before: State, after: State, options: SentenceOptions): string[] {
  const { t } = options;
  const say = (what: string, from: string, to: string) =>
    from === to ? [] : [t(`FLAGS.HISTORY.SAY.${what}`, { from, to })];
  const { enabled, forSignedOut, killSwitch } = after;
  return [
    ...(before.enabled === enabled ? [] : [t(`FLAGS.HISTORY.SAY.${enabled ? 'ON' : 'OFF'}`)]),
    ...say(
      'TYPE',
      t(`FLAGS.RETYPE.TYPES.${catalogueKey(before.type)}`),
      t(`FLAGS.RETYPE.TYPES.${catalogueKey(after.type)}`),
    ),
    ...(sameJson(before.defaultValue, after.defaultValue)
      ? []
      : [
          t('FLAGS.HISTORY.SAY.DEFAULT', {
            from: shortValue(before.defaultValue),
            to: shortValue(after.defaultValue),
          }),
        ]),
    ...describeRules(before.rules, after.rules, options),
    ...(before.description === after.description ? [] : [t('FLAGS.HISTORY.SAY.PURPOSE')]),
    ...say('TAGS', before.tags.join(', ') || '–', after.tags.join(', ') || '–'),
    ...(before.forSignedOut === forSignedOut
      ? []
      : [t(`FLAGS.HISTORY.SAY.${forSignedOut ? 'FOR_SIGNED_OUT' : 'NOT_FOR_SIGNED_OUT'}`)]),
    ...(before.killSwitch === killSwitch
      ? []
      : [t(`FLAGS.HISTORY.SAY.${killSwitch ? 'KILL_SWITCH' : 'NO_KILL_SWITCH'}`)]),
  ];
}

/** Describes added and removed rules; if only rules in the same places differ, compares the two in each place. */
function describeRules(
  before: readonly FlagRule[],
  after: readonly FlagRule[],
  options: SentenceOptions,
): string[] {
  const { t } = options;
  const [gone, came] = [without(before, after), without(after, before)];
  if (gone.length === 0 && came.length === 0)
    return before.every((rule, at) => sameJson(rule, after[at])) ? [] : [t('FLAGS.HISTORY.SAY.ORDER')];
  if (before.length === after.length && gone.every(({ at }, index) => at === came[index]?.at))
    return gone.flatMap(({ rule, at }) => describeOne(rule, after[at] ?? {}, at + 1, options));
  return [
    ...gone.map(({ rule, at }) =>
      t('FLAGS.HISTORY.SAY.RULE_GONE', { number: at + 1, rule: describeRule(rule, options) }),
    ),
    ...came.map(({ rule, at }) =>
      t('FLAGS.HISTORY.SAY.RULE_CAME', { number: at + 1, rule: describeRule(rule, options) }),
    ),
  ];
}

/** The rules that are missing in the other list, with their places; a rule that occurs twice counts twice. */
function without(rules: readonly FlagRule[], others: readonly FlagRule[]): { rule: FlagRule; at: number }[] {
  const left = [...others];
  return rules.flatMap((rule, at) => {
    const same = left.findIndex((other) => sameJson(rule, other));
    if (same === -1) return [{ rule, at }];
    left.splice(same, 1);
    return [];
  });
}

/** Describes a pause, resume, end or step back of a ramp that is otherwise unchanged; null if there is none. */
function describeSteering(
  before: FlagRule,
  after: FlagRule,
  number: number,
  { t, locale }: SentenceOptions,
): string | null {
  const [{ ramp: was }, { ramp: is, schedule }] = [timingOf(before), timingOf(after)];
  const steered = { anchor: undefined, paused: undefined, held: undefined };
  if (
    was === undefined ||
    is === undefined ||
    schedule === undefined ||
    !sameJson({ ...before, ramp: { ...was, ...steered } }, { ...after, ramp: { ...is, ...steered } })
  )
    return null;
  const { step } = stepAt(schedule, is, is.paused ?? is.anchor?.since ?? 0);
  const stays = is.held === undefined ? 'PAUSED' : 'HELD';
  const deed = is.paused !== undefined ? stays : step === is.steps.length - 1 ? 'ENDED' : 'RESUMED';
  return t(`FLAGS.HISTORY.SAY.${deed}`, { number, share: percent(is.steps[step]?.coverage ?? 0, locale) });
}

function describeOne(before: FlagRule, after: FlagRule, number: number, options: SentenceOptions): string[] {
  const { t, locale } = options;
  const [was, is] = [partsOf(before), partsOf(after)];
  const steered = describeSteering(before, after, number, options);
  if (steered !== null) return [steered];
  const say = (from: string, to: string) =>
    from === to ? [] : [t('FLAGS.HISTORY.SAY.RULE', { number, from, to })];
  const served = (parts: typeof was) =>
    resultValues(parts.result)
      .map(
        ({ value, weight }) => `${shortValue(value)}${weight === null ? '' : ` ${percent(weight, locale)}`}`,
      )
      .join(' · ') || '–';
  const asked = (rule: FlagRule) => describeRule({ ...rule, coverage: 1 }, options);
  const audience =
    asked(before) === asked(after)
      ? say(percent(was.coverage ?? 1, locale), percent(is.coverage ?? 1, locale))
      : say(describeRule(before, options), describeRule(after, options));
  const found = [...audience, ...say(served(was), served(is))];
  return found.length > 0 ? found : [t('FLAGS.HISTORY.SAY.RULE_ELSE', { number })];
}
