/** Between the tabs of a browser. */
export type FeedbackMessage =
  /** The draft has changed. */
  | { type: 'written'; person: string }
  /** What waits to be sent has changed. */
  | { type: 'waiting'; person: string }
  /** The server has a report; `waited`: it went by itself. */
  | { type: 'sent'; person: string; eventId: string; waited: boolean };

export function readFeedbackMessage(data: Record<string, unknown>): FeedbackMessage | null {
  const { type, person, eventId, waited } = data;
  if (typeof person !== 'string') return null;
  if (type === 'written' || type === 'waiting') return { type, person };
  return type === 'sent' && typeof eventId === 'string'
    ? { type, person, eventId, waited: waited === true }
    : null;
}
