import type { ImportedFlag, ImportedSegment, Unmapped } from '#features/flags/contract/flag-exchange.ts';
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
