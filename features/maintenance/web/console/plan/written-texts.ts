import { type TextLanguage, textLanguages } from '#features/maintenance/contract/maintenance.ts';
import {
  type TextPhase,
  textPhases,
  type WindowTexts,
  type WrittenText,
} from '#features/maintenance/contract/texts.ts';
import { readFields } from '#web/platform/forms/stored-work.ts';

/** A text as typed, in each language; empty: not written in it. */
export type TypedText = Readonly<Record<TextLanguage, string>>;

/** The texts of a window as typed, in each phase. */
export type TypedTexts = Readonly<Record<TextPhase, TypedText>>;

export function typedText(written: WrittenText = {}): TypedText {
  return { en: written.en ?? '', de: written.de ?? '', fr: written.fr ?? '' };
}

export function typedTexts({ before, during, late, finished }: WindowTexts): TypedTexts {
  return {
    before: typedText(before),
    during: typedText(during),
    late: typedText(late),
    finished: typedText(finished),
  };
}

/** The texts to send: in each language in which something is typed. */
export function writtenIn(typed: TypedText): WrittenText {
  const written: WrittenText = {};
  for (const language of textLanguages) {
    const text = typed[language].trim();
    if (text !== '') written[language] = text;
  }
  return written;
}

export function writtenTexts(typed: TypedTexts): WindowTexts {
  const texts: WindowTexts = {};
  for (const phase of textPhases) {
    const written = writtenIn(typed[phase]);
    if (Object.keys(written).length > 0) texts[phase] = written;
  }
  return texts;
}

/** The text for readers of any other language: the first that is written. */
export function firstOf(typed: TypedText): string {
  return textLanguages.map((language) => typed[language].trim()).find((text) => text !== '') ?? '';
}

/** A published text in its languages; where they are not recorded, the text counts as written in `language`. */
export function typedNotice(
  { text, texts }: { text: string; texts: WrittenText },
  language: TextLanguage,
): TypedText {
  return Object.keys(texts).length > 0 ? typedText(texts) : { ...typedText(), [language]: text };
}

/** The length of the longest text, in UTF-16 units. */
export function longestOf(typed: TypedText): number {
  return Math.max(...textLanguages.map((language) => typed[language].trim().length));
}

/** Whether a stored form has a text in each language. */
export function isTypedText(stored: unknown): boolean {
  return readFields(typedText(), stored) !== null;
}

export function isTypedTexts(stored: Record<string, unknown>): boolean {
  return textPhases.every((phase) => isTypedText(stored[phase]));
}
