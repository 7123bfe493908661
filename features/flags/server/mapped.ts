import type { ImportedFlag, ImportedSegment, Unmapped } from '#features/flags/contract/flag-exchange.ts';
import { ruleSchedule, type RuleSchedule } from '#features/flags/contract/schedules.ts';
import { isObject } from './condition.ts';

/** The contents of a document of any format, before any check. */
export type Mapped = {
  flags: ImportedFlag[];
  segments: ImportedSegment[];
  unmapped: Unmapped[];
};

type Json = Record<string, unknown>;

/** The objects of a list; empty if the value is not a list. */
export function objectsIn(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The texts of a list; empty if the value is not a list. */
export function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/**
 * The schedule in which all these conditions on time hold; null if there is none.
 *
 * @param times `begins`: true if the condition holds from `at` on; false if it holds before `at`
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
