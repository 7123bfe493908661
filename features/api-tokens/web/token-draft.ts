import { longestTokenLife } from '#features/api-tokens/contract/api-tokens.ts';
import type { ProblemWords } from '#web/platform/forms/problems-of.ts';

/** A token as typed in its form. */
export type TokenDraft = {
  name: string;
  rights: string[];
  days: string;
  /** The days count from this time, so that a retry sends the same expiry. */
  from: number;
};

/** The name under which the form is stored. */
export const newTokenWork = 'api-token';

/** Days that a token may live. */
export const lives = ['1', '7', '30', '90', '365'] as const;

export function emptyDraft(now: number): TokenDraft {
  return { name: '', rights: [], days: '30', from: now };
}

const longestTry = 3_600_000;

/** The stored form; after an hour its days count from now. Null: another release has written it. */
export function readStoredDraft(draft: TokenDraft, now: number): TokenDraft | null {
  if (!draft.rights.every((right) => typeof right === 'string')) return null;
  return now - draft.from < longestTry ? draft : { ...draft, from: now };
}

export const tokenWords: ProblemWords<'name' | 'rights' | 'expiresAt'> = {
  fields: {
    name: 'API_TOKENS.ERRORS.NAME',
    rights: { 'not-held': 'API_TOKENS.ERRORS.NOT_HELD', else: 'API_TOKENS.ERRORS.NO_RIGHTS' },
    expiresAt: 'API_TOKENS.ERRORS.EXPIRY',
  },
  codes: { CONFLICT: 'API_TOKENS.ERRORS.TOO_MANY' },
};

/** When a token that starts now expires. */
export function endOf(days: string, now: number): number {
  return Math.floor(now) + Math.min(Number(days) * 24 * 3_600_000, longestTokenLife);
}
