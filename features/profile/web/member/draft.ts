import { profile as profileSchema, type Profile } from '#features/profile/contract/profile.ts';
import { fieldsOf, type ProfileFields } from '../profile-fields.ts';

/** The fields of the form. The picture is saved separately. */
export type FormFields = Omit<ProfileFields, 'avatar'>;
export type FormField = keyof FormFields;

/** In the order of the form. */
export const formFields = [
  'firstName',
  'lastName',
  'phone',
  'organisation',
  'jobTitle',
  'locale',
  'timeZone',
] as const satisfies readonly FormField[];

type Edits = Partial<FormFields>;

/** A field that was saved elsewhere while the form was open, and differently here. */
export type Clash = {
  readonly field: FormField;
  readonly mine: FormFields[FormField];
  readonly theirs: FormFields[FormField];
  /** The person's choice; null until they have made one. */
  readonly wanted: 'mine' | 'theirs' | null;
};

/**
 * A profile that is being edited: what was read, what is typed over it, and where that clashes with what was
 * saved elsewhere since. Saving sends the version that was read; a newer one becomes the base and the
 * edits stay on top of it.
 */
export type Draft = {
  readonly base: Profile;
  readonly edits: Edits;
  readonly clashes: readonly Clash[];
  /** Fields that were saved elsewhere and not edited here: they show the new values. */
  readonly taken: readonly FormField[];
};

export function draftOf(profile: Profile): Draft {
  return { base: profile, edits: {}, clashes: [], taken: [] };
}

/** The values that the form shows. */
export function valuesOf({ base, edits }: Draft): FormFields {
  return { ...fieldsOf(base), ...edits };
}

/** The fields to send: as the form shows them, with the picture unchanged. */
export function fieldsToSave(draft: Draft): ProfileFields {
  return { ...fieldsOf(draft.base), ...valuesOf(draft) };
}

/** The fields that saving would change, in the order of the form. */
export function changedFields({ base, edits }: Draft): FormField[] {
  const stored = fieldsOf(base);
  return formFields.filter((field) => field in edits && !same(edits[field], stored[field]));
}

/** The clashes that the person has not decided yet. */
export function undecided({ clashes }: Draft): readonly Clash[] {
  return clashes.filter(({ wanted }) => wanted === null);
}

/** Edits a field. In a clash the typed value is the decision. */
export function edit<F extends FormField>(draft: Draft, field: F, value: FormFields[F]): Draft {
  return {
    ...draft,
    edits: { ...draft.edits, [field]: value },
    clashes: draft.clashes.map((clash) =>
      clash.field === field ? { ...clash, mine: value, wanted: 'mine' } : clash,
    ),
  };
}

/** Decides a clash; the decision can be changed. */
export function settle(draft: Draft, field: FormField, wanted: 'mine' | 'theirs'): Draft {
  const clash = draft.clashes.find((one) => one.field === field);
  if (clash === undefined) return draft;
  const clashes = draft.clashes.map((one) => (one === clash ? { ...one, wanted } : one));
  return { ...draft, clashes, edits: { ...draft.edits, [field]: clash[wanted] } };
}

/**
 * Takes a newer profile as the base. Edits stay; where the newer one changed the same field to something
 * else, the two clash.
 *
 * @param publish whether fields that changed there and were not edited here are listed as taken over
 */
export function rebase(draft: Draft, theirs: Profile, publish: boolean): Draft {
  const before = fieldsOf(draft.base);
  const now = fieldsOf(theirs);
  const edits: Edits = {};
  const clashes: Clash[] = [];
  const taken = new Set(publish ? draft.taken : []);
  for (const field of formFields) {
    const mine = draft.edits[field];
    const moved = !same(before[field], now[field]);
    const typed = mine !== undefined && !same(mine, before[field]);
    if (typed && !same(mine, now[field])) {
      Object.assign(edits, { [field]: mine });
      if (moved) clashes.push({ field, mine, theirs: now[field], wanted: null });
    }
    if (!moved) clashes.push(...draft.clashes.filter((clash) => clash.field === field));
    else if (!typed && publish) taken.add(field);
  }
  return { base: theirs, edits, clashes, taken: [...taken] };
}

/** After `sent` was saved as `profile`: later edits stay. */
export function afterSaving(draft: Draft, sent: Draft, profile: Profile): Draft {
  const typedSince = formFields.filter((field) => !Object.is(draft.edits[field], sent.edits[field]));
  const edits: Edits = {};
  for (const field of typedSince) Object.assign(edits, { [field]: valuesOf(draft)[field] });
  return { base: profile, edits, clashes: [], taken: [] };
}

/** Reads a draft stored over a reload, with the profile it was typed over; null: another release has written it. */
export function readStoredDraft(stored: unknown): Draft | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const { base, edits, clashes } = stored as Record<string, unknown>;
  const read = profileSchema.safeParse(base);
  if (!read.success || !isEdits(edits) || !Array.isArray(clashes) || !clashes.every(isClash)) return null;
  return { base: read.data, edits, clashes, taken: [] };
}

function isEdits(value: unknown): value is Edits {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).every(([field, typed]) => isField(field) && isValue(typed));
}

function isClash(value: unknown): value is Clash {
  if (typeof value !== 'object' || value === null) return false;
  const { field, mine, theirs, wanted } = value as Record<string, unknown>;
  const decided = wanted === null || wanted === 'mine' || wanted === 'theirs';
  return isField(field) && isValue(mine) && isValue(theirs) && decided;
}

const isField = (name: unknown): name is FormField => formFields.some((field) => field === name);
const isValue = (value: unknown): boolean => value === null || typeof value === 'string';

/** Compares as the server does, which trims texts. */
export function same(a: unknown, b: unknown): boolean {
  return typeof a === 'string' && typeof b === 'string' ? a.trim() === b.trim() : Object.is(a, b);
}
