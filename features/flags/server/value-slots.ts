import { createHash } from 'node:crypto';
import type { FeatureDefinitions } from '@growthbook/growthbook';

/** The limit for values of one flag that are counted separately; all further values are counted as one. */
const mostValues = 20;
const longestText = 120;

/** The text under which a value is counted: its JSON, or the beginning and a digest of a long one. */
export function countedText(value: unknown): string {
  const text = JSON.stringify(value ?? null);
  if (text.length <= longestText) return text;
  return `${text.slice(0, longestText)}… ${createHash('sha1').update(text).digest('hex').slice(0, 8)}`;
}

/** A flag and one of its values; `''` stands for any other value. */
export type ValueSlot = { flagKey: string; value: string };

/** The slots of one flag. */
export type FlagSlots = {
  /** The slots of the default value, and of the value that each rule forces. */
  constants: readonly number[];
  /** The slot of a value: a primitive, or the same object as in the definitions. */
  of(value: unknown): number;
  /** Of a counted text. */
  ofText(text: string): number;
};

/** The values that flags can give, numbered over all flags, so that one array can count all of them. */
export type ValueSlots = ReturnType<typeof valueSlotsOf>;

export function valueSlotsOf(features: FeatureDefinitions) {
  const all: ValueSlot[] = [];
  const flags = new Map<string, FlagSlots>();
  for (const [flagKey, { defaultValue, rules = [] }] of Object.entries(features)) {
    const add = (value: string): number => all.push({ flagKey, value }) - 1;
    const other = add('');
    const ofTexts = new Map<string, number>();
    const ofValues = new Map<unknown, number>();
    const slotFor = (value: unknown): number => {
      const text = countedText(value);
      const slot = ofTexts.get(text) ?? (ofTexts.size < mostValues ? add(text) : other);
      ofTexts.set(text, slot);
      ofValues.set(value ?? null, slot);
      return slot;
    };
    const constants = [defaultValue, ...rules.map(({ force }): unknown => force)].map(slotFor);
    for (const { variations, contextualVariations } of rules)
      for (const value of contextualVariations ?? variations ?? []) slotFor(value);
    slotFor(null);
    flags.set(flagKey, {
      constants,
      of: (value) => ofValues.get(value ?? null) ?? other,
      ofText: (text) => ofTexts.get(text) ?? other,
    });
  }
  return { all: all as readonly ValueSlot[], flags: flags as ReadonlyMap<string, FlagSlots> };
}

/** Adds one to the count of each slot. */
export function countEach(counts: Uint32Array, slots: Uint32Array): void {
  // An index loop for speed, since this runs for each flag of each evaluation.
  for (let at = 0; at < slots.length; at += 1) {
    const slot = slots[at] ?? 0;
    counts[slot] = (counts[slot] ?? 0) + 1;
  }
}
