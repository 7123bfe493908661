import type { ImportedFlag, ImportedSegment, Unmapped } from '#features/flags/contract/flag-exchange.ts';
import { ruleSchedule, type RuleSchedule } from '#features/flags/contract/schedules.ts';
import { isObject } from './condition.ts';

/** What a document of any format has, before anything of it is checked. */
export type Mapped = {
  flags: ImportedFlag[];
  segments: ImportedSegment[];
  unmapped: Unmapped[];
};

type Json = Record<string, unknown>;

/** The objects of a list; nothing where it is none. */
export function objectsIn(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The texts of a list; nothing where it is none. */
export function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/**
 * The time in which all of these hold; null: there is none.
 *
 * @param times `begins`: from this time on; else before it
 */
export function scheduleOf(times: readonly { begins: boolean; at: unknown }[]): RuleSchedule | null {
  const of = (wanted: boolean) =>
    times.filter(({ begins }) => begins === wanted).map(({ at }) => Date.parse(textIn(at)));
  const [from, until] = [of(true), of(false)];
  const schedule = {
    ...(from.length > 0 && { from: Math.max(...from) }),
    ...(until.length > 0 && { until: Math.min(...until) }),
    zone: 'UTC',
  };
  return ruleSchedule.safeParse(schedule).data ?? null;
}
