import { feedbackLimits } from '#features/feedback/contract/feedback.ts';
import { emailAddress } from '#contract/email-address.ts';
import type { FieldProblem } from '#contract/problem.ts';
import { isBlank } from '#contract/text.ts';
import type { Picture } from './picture.ts';
import type { ContextPart, SentAlong } from './surroundings.ts';

/** What a person has written and not sent yet (BUG-5). */
export type Draft = {
  /**
   * 32 hexadecimal digits. Each change of the contents sets a new id: all tries to send the same contents, in
   * any tab, are one report, and an edited draft is another.
   */
  readonly eventId: string;
  readonly email: string;
  readonly name: string;
  readonly message: string;
  readonly picture: Picture | null;
  /** What the person does not want to send along. */
  readonly leftOut: readonly ContextPart[];
  /** The keys of the single breadcrumbs that the person does not want to send along. */
  readonly leftOutCrumbs: readonly string[];
  /** Null until these contents are first sent. */
  readonly sentAlong: SentAlong | null;
};

/** What a person may change. */
export type DraftContents = Omit<Draft, 'eventId' | 'sentAlong'>;

/** Fields of the form, in its order. */
export const draftFields = ['email', 'name', 'message'] as const;
export type DraftField = (typeof draftFields)[number];

/** What is known of the reporter in advance. */
export type Reporter = { readonly email: string; readonly name: string };

export function emptyDraft(eventId: string, { email, name }: Reporter): Draft {
  return {
    eventId,
    email,
    name,
    message: '',
    picture: null,
    leftOut: [],
    leftOutCrumbs: [],
    sentAlong: null,
  };
}

/** Whether a draft holds nothing that the person would have to type again. */
export function isEmpty(draft: Draft, { email, name }: Reporter): boolean {
  return (
    draft.message.trim() === '' &&
    draft.picture === null &&
    draft.leftOut.length === 0 &&
    draft.leftOutCrumbs.length === 0 &&
    draft.email === email &&
    draft.name === name
  );
}

/** The draft with changed contents and a new event id; the same object if nothing changes. */
export function edited(draft: Draft, change: Partial<DraftContents>, newEventId: () => string): Draft {
  const keys = Object.keys(change) as (keyof DraftContents)[];
  if (keys.every((key) => Object.is(draft[key], change[key]))) return draft;
  return { ...draft, ...change, eventId: newEventId(), sentAlong: null };
}

/** Which fields have to be filled in. */
export type DraftRules = Record<DraftField, boolean>;

/** Why a draft cannot be sent yet. */
export type Mistakes = {
  readonly missing: readonly DraftField[];
  readonly wrong: Readonly<Partial<Record<DraftField, 'ADDRESS' | 'TOO_LONG'>>>;
};

/** Finds what the server would refuse (BUG-2); null: nothing. */
export function mistakesIn(draft: Draft, rules: DraftRules): Mistakes | null {
  const missing = draftFields.filter((field) => rules[field] && isBlank(draft[field]));
  const email = draft.email.trim();
  const tooLong = (['name', 'message'] as const).filter(
    (field) => draft[field].trim().length > feedbackLimits[field],
  );
  const wrong: Mistakes['wrong'] = {
    ...(email === '' || emailAddress.safeParse(email).success ? {} : { email: 'ADDRESS' }),
    ...Object.fromEntries(tooLong.map((field) => [field, 'TOO_LONG'])),
  };
  return missing.length === 0 && Object.keys(wrong).length === 0 ? null : { missing, wrong };
}

/** Why the last try failed. `status` 0: there was no answer; `final`: another try cannot succeed. */
export type Failed = {
  readonly status: number;
  readonly code: string;
  readonly errors: readonly FieldProblem[];
  readonly final: boolean;
};

/** A report that could not be sent yet. */
export type WaitingReport = {
  readonly draft: Draft;
  /** Since when the report waits, by this computer's clock. */
  readonly at: number;
  /** Null: not known. */
  readonly failed: Failed | null;
};
