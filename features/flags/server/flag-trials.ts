import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FeatureDefinitions } from '@growthbook/growthbook';
import type { Flag } from '#features/flags/contract/flags.ts';
import { ruleAt } from '#features/flags/contract/schedules.ts';
import type { Segment } from '#features/flags/contract/segments.ts';
import type { FlagDefinition, FlagEffect, Trial } from '#features/flags/contract/trials.ts';
import { personWith, prepareFlags, type Person } from './decide-flags.ts';
import { definitionsOf, type MaintenanceProjection } from './payload.ts';
import { prerequisitesOf } from './rules.ts';
import { listsIn, type Lists } from './segments.ts';

/** Evaluates a flag, with the flags that it depends on, for one person. */
type Evaluate = (attributes: Record<string, unknown>) => Omit<Trial, 'attributes' | 'warnings'>;

/**
 * Prepares a flag with a definition, saved or not, among the other flags as saved, for evaluation by the code
 * that serves clients (`decide-flags.ts`). The flag is evaluated as if it were on.
 */
export function prepareTrial(
  key: string,
  definition: Pick<FlagDefinition, 'defaultValue' | 'rules'>,
  all: readonly Flag[],
  maintenance: MaintenanceProjection,
  { segments, lists, now }: { segments: readonly Segment[]; lists: Lists; now: number },
): Evaluate {
  const others = all.filter((flag) => flag.key !== key);
  const features = definitionsOf(others, maintenance, segments, now);
  features[key] = definitionsOf([draftOf(key, definition)], maintenance, segments, now)[key] ?? {};
  const needed = withPrerequisites(key, features);
  const { decided } = prepareFlags(needed, listsIn(needed, lists));
  const decide = decided.find((flag) => flag.key === key)?.decide;
  const places: number[] = [];
  const absent: Trial['steps'] = [];
  for (const [place, rule] of definition.rules.entries()) {
    if (ruleAt(rule, now) === null) absent.push({ rule: place, outcome: 'time', bucket: null });
    else places.push(place);
  }
  return (attributes) => {
    const steps = new Map(absent.map((step) => [step.rule, step]));
    const person: Person = {
      ...personWith(attributes),
      trace(ofFlag, present, outcome, bucket) {
        const rule = places[present] ?? present;
        const known = ofFlag === key ? steps.get(rule) : undefined;
        // A gate that is not met also decides, so its outcome is not replaced.
        if (ofFlag === key && known?.outcome !== 'gate')
          steps.set(rule, { rule, outcome, bucket: bucket ?? known?.bucket ?? null });
      },
    };
    const value = decide === undefined ? definition.defaultValue : decide(person).value;
    const decisive = [...steps.values()].find(({ outcome }) => outcome === 'decides' || outcome === 'gate');
    const rule = decisive?.rule ?? null;
    const asked = [...steps.values()].filter((step) => rule === null || step.rule <= rule);
    return { value: value ?? null, rule, steps: asked.toSorted((a, b) => a.rule - b.rule) };
  };
}

function draftOf(key: string, { defaultValue, rules }: Pick<FlagDefinition, 'defaultValue' | 'rules'>): Flag {
  const nothing = { description: '', tags: [], createdAt: 0, changedAt: 0, changedBy: null, version: 0 };
  return {
    ...nothing,
    key,
    type: 'json',
    enabled: true,
    forSignedOut: false,
    killSwitch: false,
    defaultValue,
    rules,
  };
}

/** A flag and the flags that it depends on, directly or through other flags. */
function withPrerequisites(key: string, features: FeatureDefinitions): FeatureDefinitions {
  const needed: FeatureDefinitions = {};
  const open = [key];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const feature = Object.hasOwn(features, next) ? features[next] : undefined;
    if (feature === undefined || Object.hasOwn(needed, next)) continue;
    needed[next] = feature;
    open.push(...prerequisitesOf((feature.rules ?? []) as Record<string, unknown>[]));
  }
  return needed;
}

const mostListed = 10;
const mostNamed = 20;
/**
 * Milliseconds. After `each` the event loop answers other requests; after `all` no more people are evaluated.
 * One evaluation may take ten.
 */
const slice = { each: 10, all: 500 };

type Counts = {
  evaluated: number;
  changed: number;
  /** `ids`: the first people's ids. */
  changes: { from: unknown; to: unknown; people: number; ids: string[] }[];
  values: FlagEffect['values'];
};

/**
 * Compares the values before and after a change, for as many people as there is time for.
 *
 * @param people the attributes of people, in batches
 * @param now milliseconds, of a clock that never goes back
 */
export async function effectOn(
  people: AsyncIterable<readonly (Record<string, unknown> & { id: string })[]>,
  before: Evaluate,
  after: Evaluate,
  now: () => number = () => performance.now(),
): Promise<Counts> {
  const changes = new Map<string, Counts['changes'][number]>();
  const values = new Map<string, Counts['values'][number]>();
  let [evaluated, changed, spent] = [0, 0, 0];
  const countOf = (value: unknown) => entryOf(values, [value], () => ({ value, people: 0, before: 0 }));
  for await (const some of people) {
    let begun = now();
    for (const attributes of some) {
      if (now() - begun >= slice.each) {
        spent += now() - begun;
        await nextTurn();
        begun = now();
      }
      if (spent >= slice.all) break;
      const [from, to] = [before(attributes).value, after(attributes).value];
      evaluated += 1;
      countOf(from).before += 1;
      countOf(to).people += 1;
      if (JSON.stringify(from) === JSON.stringify(to)) continue;
      changed += 1;
      const change = entryOf(changes, [from, to], () => ({ from, to, people: 0, ids: [] }));
      change.people += 1;
      if (change.ids.length < mostNamed) change.ids.push(attributes.id);
    }
    spent += now() - begun;
    if (spent >= slice.all) break;
  }
  return { evaluated, changed, changes: mostFrequent(changes), values: mostFrequent(values) };
}

function entryOf<T>(entries: Map<string, T>, key: unknown, make: () => T): T {
  const text = JSON.stringify(key);
  const known = entries.get(text) ?? make();
  entries.set(text, known);
  return known;
}

function mostFrequent<T extends { people: number }>(entries: ReadonlyMap<string, T>): T[] {
  return [...entries.values()].toSorted((one, other) => other.people - one.people).slice(0, mostListed);
}
