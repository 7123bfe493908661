import { longestTokenLife } from '@portico/contract/api-tokens';
import { readFields } from '../../platform/kept-work.ts';

/** A token as it stands in its form. */
export type TokenDraft = { name: string; rights: string[]; days: string };

/** Under which name what is typed is kept. */
export const newTokenWork = 'api-token';

/** Days that a token may live. */
export const lives = ['1', '7', '30', '90', '365'] as const;

export const emptyDraft: TokenDraft = { name: '', rights: [], days: '30' };

export function isEmpty({ name, rights, days }: TokenDraft): boolean {
  return name === '' && rights.length === 0 && days === emptyDraft.days;
}

/** What was kept; null: it is none of this release. */
export function readKeptDraft(kept: unknown): TokenDraft | null {
  const draft = readFields(emptyDraft, kept);
  return draft === null || !draft.rights.every((right) => typeof right === 'string') ? null : draft;
}

/** When a token ends that begins now. */
export function endOf(days: string, now: number): number {
  return Math.floor(now) + Math.min(Number(days) * 24 * 3_600_000, longestTokenLife);
}
