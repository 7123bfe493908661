import type { Readable } from '#web/platform/state/store.ts';
import type { RetainedDraft } from './retained-drafts.ts';
import type { UnsavedWork } from './tab-work.ts';

/** Days for which drafts stay on the device. */
export const retainedDraftsDays = 14;

/** What a sign-out would lose: unsaved work in the tabs, and reports that are not sent. */
export type ToLose = UnsavedWork & { readonly report: boolean };

/** Whether a draft was opened; `in-the-way`: another draft is in its place. */
export type Opened = 'opened' | 'in-the-way';

export type SigningOut = {
  find(): Promise<ToLose>;
  /** Whether drafts can be stored in this browser. */
  readonly canRetain: boolean;
  /** Signs out; unsaved work is lost. */
  discard(): Promise<void>;
  /**
   * Stores the drafts that can be stored, then signs out. Rejects where storing fails: then nothing has
   * happened.
   */
  retain(report: string): Promise<void>;
  /** How many drafts of the signed-in person are on this device, and until when. */
  readonly retained: Readable<{ readonly count: number; readonly until: number } | null>;
  drafts(): Promise<readonly RetainedDraft[]>;
  open(draft: RetainedDraft): Promise<Opened>;
  remove(draft: RetainedDraft): Promise<readonly RetainedDraft[]>;
};

export function isNothing({ here, others, silent, report }: ToLose): boolean {
  return here.length === 0 && others.every(({ places }) => places.length === 0) && silent === 0 && !report;
}
