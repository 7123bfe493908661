import * as z from 'zod/mini';
import { eventId, cleanProse, id, instant } from '#contract/text.ts';

/** What the conversation about a report may hold (BUG-8, BUG-9). */
export const conversationLimits = {
  /** Characters of one message. */
  text: 4096,
  /** Replies and notes of one report. */
  messages: 500,
  /** Latest messages of each report that lists of own reports show. */
  messagesInLists: 50,
} as const;

export const messageText = cleanProse(1, conversationLimits.text);

/** A message under the client's own id: a message that is sent again under the same id is stored once. */
export const sentMessage = { text: messageText, eventId };

/**
 * A message as operators read it. A `reply` goes from one side to the other; a `note` stays among operators.
 */
export const reportMessage = z.object({
  id,
  kind: z.enum(['reply', 'note']),
  from: z.enum(['reporter', 'operator']),
  text: z.string(),
  at: instant,
  /** When its author changed a note. */
  editedAt: z.nullable(instant),
  /** The author, as in audit entries; empty for a reporter who was not signed in. */
  by: z.string(),
  /** The person who wrote it; null for an API token, and for an erased person. */
  authorId: z.nullable(id),
});
export type ReportMessage = z.infer<typeof reportMessage>;
