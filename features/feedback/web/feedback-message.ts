import * as z from 'zod/mini';

/** Between the tabs of a browser. */
export const feedbackMessage = z.discriminatedUnion('type', [
  /** The draft has changed. */
  z.object({ type: z.literal('written'), person: z.string() }),
  /** The reports that wait to be sent have changed. */
  z.object({ type: z.literal('waiting'), person: z.string() }),
  /** The server has stored a report; `waited`: it was sent from the outbox. */
  z.object({ type: z.literal('sent'), person: z.string(), eventId: z.string(), waited: z.boolean() }),
]);
export type FeedbackMessage = z.infer<typeof feedbackMessage>;
