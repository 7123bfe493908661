import type { FeatureDefinition, FeatureRule } from '@growthbook/growthbook';
import { personWith, type Decision, type Person } from './decide-flags.ts';
import type { Evaluator } from './evaluate.ts';
import type { ValueSlot } from './value-slots.ts';
import { digestOf } from './payload.ts';

/** The rules that decided, by flag. */
type Deciding = Map<string, number>;

/** Receives the slot of a flag's value. */
type Count = (slot: number) => void;

/** Answers of OFREP in one version of the flags, as JSON text. */
export type OfrepAnswers = ReturnType<typeof prepareOfrepAnswers>;

/**
 * Evaluates as remote evaluation does, and adds what OpenFeature asks for: why a flag has its value, and a name
 * of the value. What is the same for many people is written once.
 */
export function prepareOfrepAnswers({
  flags,
  definitions,
  slots,
}: Pick<Evaluator, 'flags' | 'definitions' | 'slots'>) {
  const decided = new Map(flags.decided.map(({ key, decide }) => [key, decide]));
  const answers = new Map(
    Object.entries(definitions)
      .filter(([key, { defaultValue }]) => decided.has(key) || defaultValue !== undefined)
      .map(([key, definition]) => [key, prepareFlag(key, definition)]),
  );

  function prepareFlag(key: string, { defaultValue, rules = [] }: FeatureDefinition) {
    const decide = decided.get(key);
    const texts: string[] = [];
    const slotsOf = slots.flags.get(key);
    const [ofDefault = 0] = slotsOf?.constants ?? [];
    if (decide === undefined)
      return (_person: Person, _deciding: Deciding, count: Count) => {
        count(ofDefault);
        return (texts[0] ??= written(key, { value: defaultValue }, 'STATIC'));
      };
    return (person: Person, deciding: Deciding, count: Count): string => {
      const decision = decide(person);
      count(slotsOf?.of(decision.value) ?? ofDefault);
      const write = () => written(key, decision, reasonOf(rules[deciding.get(key) ?? -1]));
      return decision.constant === null ? write() : (texts[decision.constant + 1] ??= write());
    };
  }

  return {
    /** The answer for one flag; null where there is no such flag. */
    one(key: string, attributes: Record<string, unknown>, count: (given: ValueSlot) => void): string | null {
      const counted = (slot: number) => {
        const given = slots.all[slot];
        if (given !== undefined) count(given);
      };
      return answers.get(key)?.(...watched(attributes), counted) ?? null;
    },
    /** The answers for all flags, or for those of `only`, with commas between them. */
    all(attributes: Record<string, unknown>, only: ReadonlySet<string> | null, counts: Uint32Array): string {
      const count = (slot: number) => {
        counts[slot] = (counts[slot] ?? 0) + 1;
      };
      const [person, deciding] = watched(attributes);
      const texts: string[] = [];
      for (const [key, answer] of answers)
        if (only === null || only.has(key)) texts.push(answer(person, deciding, count));
      return texts.join(',');
    },
  };
}

function watched(attributes: Record<string, unknown>): [Person, Deciding] {
  const deciding: Deciding = new Map();
  const person = personWith(attributes);
  person.trace = (key, rule, outcome) => {
    if (outcome === 'decides') deciding.set(key, rule);
  };
  return [person, deciding];
}

/** OpenFeature's name for why a flag with rules has its value. */
function reasonOf(rule: FeatureRule | undefined): string {
  if (rule === undefined) return 'DEFAULT';
  const isForAll = 'force' in rule && rule.coverage === undefined && !rule.range;
  return isForAll ? 'TARGETING_MATCH' : 'SPLIT';
}

function written(key: string, { value, from }: Pick<Decision, 'value' | 'from'>, reason: string): string {
  // Without a value an SDK uses the default in its code, as GrowthBook's does for null.
  if (value === null || value === undefined) return JSON.stringify({ key, reason: 'DEFAULT' });
  const variant = from === undefined ? nameOf(value) : from.result.key;
  const metadata = from === undefined ? undefined : { experiment: from.experiment.key };
  return JSON.stringify({ key, value, reason, variant, metadata });
}

const longestName = 40;

/** The name of a value that is in no experiment: OpenFeature's SDK for Python needs one. */
function nameOf(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const isNameable = typeof value !== 'object' && text.length <= longestName;
  return isNameable ? text : digestOf(text).toString('hex', 0, 4);
}
