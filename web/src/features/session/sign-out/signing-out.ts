import type { Readable } from '../../../platform/state/store.ts';
import type { KeptDraft } from './kept-drafts.ts';
import type { UnsavedWork } from './tab-work.ts';

/** How long drafts stay on the device. */
export const keptDraftsDays = 14;

/** What a sign-out would lose: what the tabs hold, and the report that is not sent. */
export type ToLose = UnsavedWork & { readonly report: boolean };

/** Why a draft was not opened: something else stands in its place. */
export type Opened = 'opened' | 'in-the-way';

export type SigningOut = {
  find(): Promise<ToLose>;
  /** Whether drafts can be stored in this browser. */
  readonly canKeep: boolean;
  /** Signs out; what is typed goes. */
  discard(): Promise<void>;
  /** Stores the drafts that can be stored, then signs out. Rejects where storing fails: then nothing has happened. */
  keep(report: string): Promise<void>;
  /** How many drafts of who is signed in are on this device, and until when. */
  readonly keptDrafts: Readable<{ readonly count: number; readonly until: number } | null>;
  drafts(): Promise<readonly KeptDraft[]>;
  open(draft: KeptDraft): Promise<Opened>;
  remove(draft: KeptDraft): Promise<readonly KeptDraft[]>;
};

export function isNothing({ here, others, silent, report }: ToLose): boolean {
  return here.length === 0 && others.every(({ places }) => places.length === 0) && silent === 0 && !report;
}
