import { type RefObject, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from '#web/platform/state/use-store.ts';
import { Icon } from '#web/ui/icon.tsx';
import type { Feedback } from './feedback.ts';

type ThanksProps = {
  feedback: Feedback;
  /** The button that is in the same place before and after the thanks. */
  trigger: RefObject<HTMLButtonElement | null>;
};

/** Shows for a while that a report was sent (BUG-4). */
export function Thanks({ feedback, trigger }: ThanksProps) {
  const { t } = useTranslation();
  const { view } = useStore(feedback.state);
  const place = useRef<HTMLDivElement>(null);
  const hadFocus = useRef(false);

  useLayoutEffect(() => {
    if (view === 'thanks') {
      // The button that opened the form is gone and cannot take the focus back; this element does.
      hadFocus.current = isUnfocused(place.current);
      if (hadFocus.current) place.current?.querySelector('p')?.focus({ preventScroll: true });
    } else if (hadFocus.current) {
      hadFocus.current = false;
      if (view === 'trigger' && isUnfocused(place.current)) trigger.current?.focus({ preventScroll: true });
    }
  }, [view, trigger]);

  return (
    <div ref={place} role="status" className="report-thanks-place">
      {view === 'thanks' ? (
        <p
          className="report-thanks rounded row"
          tabIndex={-1}
          onPointerEnter={feedback.holdThanks}
          onPointerLeave={feedback.releaseThanks}
        >
          <Icon name="check-circle" />
          {t('FEEDBACK.THANKS')}
        </p>
      ) : null}
    </div>
  );
}

/** Whether nothing on the page has the focus. */
function isUnfocused(element: HTMLElement | null): boolean {
  const root = element?.getRootNode();
  const focused = root instanceof Document || root instanceof ShadowRoot ? root.activeElement : null;
  return focused === null || focused === document.body;
}
