import { readColour } from '@portico/contract/rules/accent';
import type { Branding } from '@portico/contract/branding';

/** The branding as edited in the form. */
export type BrandingDraft = {
  name: string;
  /** As typed; empty: Portico's own. */
  accent: string;
  /** `kept`: the stored one; null: Portico's own. */
  mark: 'kept' | ChosenMark | null;
};

export type ChosenMark = {
  /** In base64. */
  data: string;
  /** Where this page loads it from. */
  url: string;
};

export function draftOf({ name, accent, mark }: Branding): BrandingDraft {
  return { name: name ?? '', accent: accent ?? '', mark: mark === null ? null : 'kept' };
}

export function sameDraft(one: BrandingDraft, other: BrandingDraft): boolean {
  return one.name === other.name && one.accent === other.accent && one.mark === other.mark;
}

/** What is sent; an invalid colour is sent as it is, so that the server refuses it. */
export function bodyOf({ name, accent, mark }: BrandingDraft, version: number) {
  const trimmed = accent.trim();
  return {
    name: name.trim() === '' ? null : name,
    accent: trimmed === '' ? null : (readColour(trimmed) ?? trimmed),
    ...(mark === 'kept' ? {} : { mark: mark === null ? null : { data: mark.data } }),
    version,
  };
}

/** Reads a chosen file. */
export async function chosenMark(file: File): Promise<ChosenMark> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += 32_768)
    text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  return { data: btoa(text), url: URL.createObjectURL(file) };
}
