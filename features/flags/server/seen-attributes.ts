import type { SeenAttribute } from '#features/flags/contract/trials.ts';

const mostNames = 100;
const mostValues = 50;
/** UTF-16 units. */
const longest = 100;
/** The least time between two samples, in milliseconds, so that sampling does not slow evaluations down. */
const between = 50;
/** Attributes whose values differ from person to person, so no value is worth suggesting. */
const ofOnePerson = new Set(['id', 'email', 'url', 'deviceId', 'sessionId', 'createdAt']);

type Values = {
  kind: SeenAttribute['kind'];
  values: Map<string | number | boolean, number>;
  isMore: boolean;
};

/** Counts the values of each attribute: texts, numbers, true and false, alone or in a list. */
export function createTally() {
  const seen = new Map<string, Values>();

  function note(attributes: Readonly<Record<string, unknown>>): void {
    for (const name in attributes) {
      if (!Object.hasOwn(attributes, name) || name.length > longest) continue;
      const value = attributes[name];
      const parts: readonly unknown[] = Array.isArray(value) ? value.slice(0, mostValues) : [value];
      const first = parts.find((each) => each !== null && each !== undefined);
      if (typeof first !== 'string' && typeof first !== 'number' && typeof first !== 'boolean') continue;
      let known = seen.get(name);
      if (known === undefined) {
        if (seen.size >= mostNames) return;
        const kind = Array.isArray(value) ? 'list' : typeof first === 'string' ? 'text' : typeof first;
        known = { kind: kind as Values['kind'], values: new Map(), isMore: false };
        seen.set(name, known);
      }
      if (ofOnePerson.has(name) || known.isMore) continue;
      for (const part of parts) count(known, part);
    }
  }

  return {
    note,
    list: (): SeenAttribute[] =>
      [...seen].map(([name, { kind, values, isMore }]) => ({
        name,
        kind,
        values: [...values]
          .toSorted(([, one], [, other]) => other - one)
          .map(([value, times]) => ({ value, times })),
        isMore,
      })),
  };
}

function count(known: Values, value: unknown): void {
  const { values } = known;
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return;
  // A text with @ may be a person's email address, whatever the attribute is called, so it is not counted.
  if (typeof value === 'string' && (value === '' || value.length > longest || value.includes('@'))) return;
  if (!values.has(value) && values.size >= mostValues) {
    // With so many values the attribute distinguishes people, like an id, so none of its values is stored.
    values.clear();
    known.isMore = true;
  } else values.set(value, (values.get(value) ?? 0) + 1);
}

/**
 * Collects attributes that applications send for remote evaluation: a sample of at most 20 requests each second, in
 * the memory of this process.
 *
 * @param now milliseconds, of a clock that never goes back
 */
export function createSeenAttributes(now: () => number = () => performance.now()) {
  const tally = createTally();
  let next = 0;
  return {
    list: tally.list,
    note(attributes: Readonly<Record<string, unknown>>): void {
      const at = now();
      if (at < next) return;
      next = at + between;
      tally.note(attributes);
    },
  };
}

export type SeenAttributes = ReturnType<typeof createSeenAttributes>;
