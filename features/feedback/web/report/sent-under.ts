import { useRef } from 'react';
import { newEventId } from '#web/platform/calls/event-id.ts';

/**
 * The event id under which a text is sent. A text has the same id until it is stored, so that a retry after a
 * lost answer does not store it twice.
 */
export function useSentUnder() {
  const last = useRef<{ text: string; eventId: string } | null>(null);
  return {
    idOf(text: string): string {
      if (last.current?.text !== text) last.current = { text, eventId: newEventId() };
      return last.current.eventId;
    },
    /** Called once the text is stored: the next text is a new message, even if its words are the same. */
    stored: () => (last.current = null),
  };
}
