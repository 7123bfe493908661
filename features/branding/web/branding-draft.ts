import { readColour } from '#features/branding/contract/accent.ts';
import type { Branding } from '#features/branding/contract/branding.ts';
import type { ChosenPicture } from '#web/platform/files/chosen-picture.ts';

/** The branding as edited in the form. */
export type BrandingDraft = {
  name: string;
  /** As typed; empty: Portico's own. */
  accent: string;
  /** `stored`: the one that is saved; null: Portico's own. */
  mark: 'stored' | ChosenPicture | null;
  /** Next to the sign-in; `stored`: the one that is saved; null: none. */
  picture: 'stored' | ChosenPicture | null;
  contact: string;
  statusUrl: string;
};

export function draftOf({ name, accent, mark, picture, contact, statusUrl }: Branding): BrandingDraft {
  return {
    name: name ?? '',
    accent: accent ?? '',
    mark: mark === null ? null : 'stored',
    picture: picture === null ? null : 'stored',
    contact: contact ?? '',
    statusUrl: statusUrl ?? '',
  };
}

export function sameDraft(one: BrandingDraft, other: BrandingDraft): boolean {
  return (
    one.name === other.name &&
    one.accent === other.accent &&
    one.mark === other.mark &&
    one.picture === other.picture &&
    one.contact === other.contact &&
    one.statusUrl === other.statusUrl
  );
}

/** What is sent; an invalid colour is sent as it is, so that the server refuses it. */
export function bodyOf(draft: BrandingDraft, version: number) {
  const { name, accent, mark, picture } = draft;
  const trimmed = accent.trim();
  return {
    name: orNull(name),
    accent: trimmed === '' ? null : (readColour(trimmed) ?? trimmed),
    ...(mark === 'stored' ? {} : { mark: mark === null ? null : { data: mark.data } }),
    ...(picture === 'stored' ? {} : { picture: picture === null ? null : { data: picture.data } }),
    contact: orNull(draft.contact),
    statusUrl: orNull(draft.statusUrl),
    version,
  };
}

function orNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim();
}
