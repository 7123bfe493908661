import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Keeps the focus inside of `root` when the focused element is removed, also the button that opened `root`:
 * it moves to the element with `data-next-focus`, else to the first button. Otherwise it would fall to the
 * page, and people who use the keyboard would lose their place.
 */
export function useFocusInside(root: RefObject<HTMLElement | null>): void {
  const last = useRef<Element | null>(null);
  const isThere = useRef(false);

  // Before the focus is moved for the first time.
  useLayoutEffect(() => {
    const element = root.current;
    if (element === null) return undefined;
    const note = ({ target }: FocusEvent) => {
      last.current = target instanceof Element ? target : null;
    };
    const forget = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget instanceof Node && !element.contains(relatedTarget)) last.current = null;
    };
    element.addEventListener('focusin', note);
    element.addEventListener('focusout', forget);
    return () => {
      element.removeEventListener('focusin', note);
      element.removeEventListener('focusout', forget);
    };
  }, [root]);

  useLayoutEffect(() => {
    const element = root.current;
    const isGone = !isThere.current || last.current?.isConnected === false;
    isThere.current = true;
    if (element === null || !isGone) return;
    last.current = null;
    const around = element.getRootNode();
    const holder = around instanceof Document || around instanceof ShadowRoot ? around.activeElement : null;
    // The person has moved it elsewhere meanwhile.
    if (holder !== null && holder !== element.ownerDocument.body && !holder.contains(element)) return;
    const next =
      element.querySelector<HTMLElement>('[data-next-focus]') ?? element.querySelector<HTMLElement>('button');
    next?.focus();
  });
}
