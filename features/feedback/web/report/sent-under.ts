import { useRef } from 'react';
import { newEventId } from '#web/platform/calls/event-id.ts';

/**
 * The event id under which a text is sent: the same for the same text until it is stored, so that a try whose
 * answer was lost does not make it two.
 */
export function useSentUnder() {
  const last = useRef<{ text: string; eventId: string } | null>(null);
  return {
    idOf(text: string): string {
      if (last.current?.text !== text) last.current = { text, eventId: newEventId() };
      return last.current.eventId;
    },
    /** It is stored: the next text is another message, even if it is the same. */
    stored: () => (last.current = null),
  };
}
