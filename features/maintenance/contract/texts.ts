import * as z from 'zod/mini';
import { prose } from '#contract/text.ts';
import { type TextByLanguage, textLanguages } from './maintenance.ts';

/** The longest text of a notice, in UTF-16 units. */
export const longestNotice = 2_000;

const written = z.optional(prose(1, longestNotice));

/** One text in the languages in which an operator has written it. */
export const writtenText = z.strictObject({ en: written, de: written, fr: written });
export type WrittenText = z.infer<typeof writtenText>;

/** The phases that have a text of their own. `late`: the planned end has passed. `finished`: the window is over. */
export const textPhases = ['before', 'during', 'late', 'finished'] as const;
export type TextPhase = (typeof textPhases)[number];

/** What people read about a window in each phase, in each language (MAINT-5). Every text is optional. */
export const windowTexts = z.strictObject({
  before: z.optional(writtenText),
  during: z.optional(writtenText),
  late: z.optional(writtenText),
  finished: z.optional(writtenText),
});
export type WindowTexts = z.infer<typeof windowTexts>;

/** For how long people read the text of a finished window, in milliseconds. */
export const finishedTextFor = 3_600_000;

/** A text for everyone, and the same text in each language in which it was written. */
export type FittingText = { text: string; texts: TextByLanguage };

type WithTexts = { title: string; text: string; texts: WindowTexts };

/** The phase whose text replaces a missing one. The text from before the start is not true after the start. */
const next: Readonly<Partial<Record<TextPhase, TextPhase>>> = { late: 'during' };

/**
 * What people read about a window in a phase: the text in their own language, else in the first language that is
 * written. Where the phase has no text: the window's one text for all phases, else its title.
 */
export function textOfPhase(window: WithTexts, phase: TextPhase): FittingText {
  const own = window.texts[phase] ?? {};
  const following = next[phase] === undefined ? {} : (window.texts[next[phase]] ?? {});
  const texts: TextByLanguage = {};
  for (const language of textLanguages) {
    const found = own[language] ?? following[language];
    if (found !== undefined) texts[language] = found;
  }
  const one = window.text === '' ? window.title : window.text;
  return { text: first(own) ?? first(following) ?? one, texts };
}

/** The text of a finished window; null: there is none, and nothing is shown. */
export function finishedText({ texts: { finished = {} } }: Pick<WithTexts, 'texts'>): FittingText | null {
  const text = first(finished);
  return text === undefined ? null : { text, texts: finished };
}

function first(written: TextByLanguage): string | undefined {
  return textLanguages.map((language) => written[language]).find((text) => text !== undefined);
}
