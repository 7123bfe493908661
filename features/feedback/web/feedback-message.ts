/** Between the tabs of a browser. */
export type FeedbackMessage =
  /** The draft has changed. */
  | { type: 'written'; person: string }
  /** The reports that wait to be sent have changed. */
  | { type: 'waiting'; person: string }
  /** The server has stored a report; `waited`: it was sent from the outbox. */
  | { type: 'sent'; person: string; eventId: string; waited: boolean };

export function readFeedbackMessage(data: Record<string, unknown>): FeedbackMessage | null {
  const { type, person, eventId, waited } = data;
  if (typeof person !== 'string') return null;
  if (type === 'written' || type === 'waiting') return { type, person };
  return type === 'sent' && typeof eventId === 'string'
    ? { type, person, eventId, waited: waited === true }
    : null;
}
