import { useEffect, useEffectEvent } from 'react';
import { takesLetters } from '#web/platform/keys/key-place.ts';
import { uppermostModal } from '#web/ui/modal-stack.ts';
import { type InboxAction, inboxAction, type KeyPlace } from './inbox-keys.ts';

/**
 * Handles the keys of the inbox wherever the focus is on its page, but not in a dialog, a menu or a field.
 *
 * @param letters whether single letters, digits and signs do something
 */
export function useInboxKeys(letters: boolean, act: (action: InboxAction, place: KeyPlace) => void): void {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || uppermostModal() !== null) return;
    const place = placeOf(event.target);
    const action = inboxAction(event, place, letters);
    if (action === null) return;
    // Escape is passed on, since it closes other things as well.
    if (action.do !== 'back') event.preventDefault();
    act(action, place);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => handle(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}

function placeOf(target: EventTarget | null): KeyPlace {
  if (!(target instanceof Element)) return 'elsewhere';
  if (target.closest('.inbox input[type=search]') !== null) return 'search';
  if (takesLetters(target)) return 'typing';
  return target.closest('.list-beside-column') === null ? 'elsewhere' : 'list';
}
