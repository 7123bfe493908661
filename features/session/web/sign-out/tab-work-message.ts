import type { StoredPlace } from '#web/platform/forms/stored-work.ts';

/** A place in a tab; `work` is null where its text cannot be stored beyond the tab. */
export type UnsavedPlace = { readonly what: string; readonly work: StoredPlace | null };
export type UnsavedTab = { readonly tab: string; readonly places: readonly UnsavedPlace[] };

export type TabWorkMessage =
  | { type: 'asked'; question: string; person: string }
  | ({ type: 'told'; question: string; isCounted: boolean } & UnsavedTab);

/** Other tabs may run another release: an unknown message is ignored. */
export function readTabWorkMessage(data: Record<string, unknown>): TabWorkMessage | null {
  const { type, question, person, tab, places, isCounted } = data;
  if (typeof question !== 'string') return null;
  if (type === 'asked' && typeof person === 'string') return { type, question, person };
  if (type !== 'told' || typeof tab !== 'string' || !Array.isArray(places)) return null;
  return { type, question, tab, isCounted: isCounted === true, places: places as UnsavedPlace[] };
}
