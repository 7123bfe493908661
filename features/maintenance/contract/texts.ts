import * as z from 'zod/mini';
import { prose } from '#contract/text.ts';

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
