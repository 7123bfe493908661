import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FeatureDefinitions } from '@growthbook/growthbook';
import type { Flag } from '#features/flags/contract/flags.ts';
import type { Segment } from '#features/flags/contract/segments.ts';
import type { FlagDefinition, FlagEffect, Trial } from '#features/flags/contract/trials.ts';
import { personWith, prepareFlags, type Person } from './decide-flags.ts';
import { definitionsOf, type MaintenanceProjection } from './payload.ts';
import { prerequisitesOf } from './rules.ts';
import { listsIn, type Lists } from './segments.ts';

/** What a flag and those that it depends on give one person. */
type Evaluate = (attributes: Record<string, unknown>) => Omit<Trial, 'attributes'>;

/**
 * Prepares a flag with a definition that may not be saved, among the flags as they are, to be evaluated by
 * the code that serves clients (`decide-flags.ts`). It is evaluated as if it were on.
 */
export function prepareTrial(
  key: string,
  definition: Pick<FlagDefinition, 'defaultValue' | 'rules'>,
  all: readonly Flag[],
  maintenance: MaintenanceProjection,
  { segments, lists }: { segments: readonly Segment[]; lists: Lists },
): Evaluate {
  const others = all.filter((flag) => flag.key !== key);
  const features = definitionsOf(others, maintenance, segments);
  features[key] = definitionsOf([draftOf(key, definition)], maintenance, segments)[key] ?? {};
  const needed = withPrerequisites(key, features);
  const { decided } = prepareFlags(needed, listsIn(needed, lists));
  const decide = decided.find((flag) => flag.key === key)?.decide;
  return (attributes) => {
    const steps = new Map<number, Trial['steps'][number]>();
    const person: Person = {
      ...personWith(attributes),
      trace(ofFlag, rule, outcome, bucket = steps.get(rule)?.bucket ?? undefined) {
        // A gate that is not met decides, too.
        if (ofFlag === key && steps.get(rule)?.outcome !== 'gate')
          steps.set(rule, { rule, outcome, bucket: bucket ?? null });
      },
    };
    const value = decide === undefined ? definition.defaultValue : decide(person).value;
    const decisive = [...steps.values()].find(({ outcome }) => outcome === 'decides' || outcome === 'gate');
    return { value: value ?? null, rule: decisive?.rule ?? null, steps: [...steps.values()] };
  };
}

function draftOf(key: string, { defaultValue, rules }: Pick<FlagDefinition, 'defaultValue' | 'rules'>): Flag {
  const nothing = { description: '', tags: [], createdAt: 0, changedAt: 0, changedBy: null, version: 0 };
  return { ...nothing, key, type: 'json', enabled: true, forSignedOut: false, defaultValue, rules };
}

/** A flag and the flags that it depends on, also through others. */
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
/**
 * Milliseconds. After `each` the event loop answers other requests; after `all` no more people are evaluated.
 * One evaluation may take ten.
 */
const slice = { each: 10, all: 500 };

/**
 * Compares what people get before and after a change, of as many people as there is time for.
 *
 * @param now milliseconds, of a clock that never goes back
 */
export async function effectOn(
  people: readonly Record<string, unknown>[],
  before: Evaluate,
  after: Evaluate,
  now: () => number = () => performance.now(),
): Promise<Pick<FlagEffect, 'evaluated' | 'changed' | 'changes' | 'values'>> {
  const pairs: { from: unknown; to: unknown }[] = [];
  let spent = 0;
  for (let begun = now(); pairs.length < people.length && spent < slice.all;) {
    const attributes = people[pairs.length] as Record<string, unknown>;
    pairs.push({ from: before(attributes).value, to: after(attributes).value });
    const since = now() - begun;
    if (since < slice.each) continue;
    spent += since;
    await nextTurn();
    begun = now();
  }
  const moved = pairs.filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to));
  return {
    evaluated: pairs.length,
    changed: moved.length,
    changes: counted(moved).map(([{ from, to }, count]) => ({ from, to, people: count })),
    values: counted(pairs.map(({ to }) => to)).map(([value, count]) => ({ value, people: count })),
  };
}

/** Equal entries once, with how often they are there, the most frequent first. */
function counted<T>(all: readonly T[]): [T, number][] {
  const counts = new Map<string, [T, number]>();
  for (const each of all) {
    const known = counts.get(JSON.stringify(each)) ?? [each, 0];
    counts.set(JSON.stringify(each), [each, known[1] + 1]);
  }
  return [...counts.values()].toSorted(([, one], [, other]) => other - one).slice(0, mostListed);
}
