import { type RefObject, useEffect, useRef } from 'react';

/** Publishes where the top bar ends, in pixels of the window, as `--bar-bottom`: notifications stand below it. */
export function useBarBottom(): RefObject<HTMLElement | null> {
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    const { style } = document.documentElement;
    const measure = () =>
      style.setProperty('--bar-bottom', `${bar.current?.getBoundingClientRect().bottom ?? 0}px`);
    // A notice above the bar makes the page longer or its body shorter.
    const watch = new ResizeObserver(measure);
    for (const element of [bar.current?.parentElement, bar.current?.nextElementSibling])
      if (element) watch.observe(element);
    window.addEventListener('scroll', measure, { passive: true });
    return () => {
      watch.disconnect();
      window.removeEventListener('scroll', measure);
      style.removeProperty('--bar-bottom');
    };
  }, []);
  return bar;
}
