import * as z from 'zod/mini';
import type { StoredPlace } from '#web/platform/forms/stored-work.ts';

/** A place in a tab; `work` is null where its text cannot be stored beyond the tab. */
export type UnsavedPlace = { readonly what: string; readonly work: StoredPlace | null };
export type UnsavedTab = { readonly tab: string; readonly places: readonly UnsavedPlace[] };

export const tabWorkMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('asked'), question: z.string(), person: z.string() }),
  z.object({
    type: z.literal('told'),
    question: z.string(),
    isCounted: z.boolean(),
    tab: z.string(),
    places: z.readonly(z.array(z.custom<UnsavedPlace>())),
  }),
]);
export type TabWorkMessage = z.infer<typeof tabWorkMessage>;
