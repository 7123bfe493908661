import { useLayoutEffect, useRef } from 'react';
import { createTabMemory } from '../../platform/tabs/tab-memory.ts';

const memory = createTabMemory(window);
const key = 'portico.return-top';

/** Restores the scroll position when the screens are shown again after a session had ended. */
export function useReturnPlace(shown: boolean): void {
  const top = useRef<number | null>(null);
  top.current ??= readTop();
  useLayoutEffect(() => {
    if (!shown) return undefined;
    const wanted = top.current ?? 0;
    let stop: (() => void) | undefined;
    let isLeft = false;
    if (wanted > 0)
      import('./scroll-when-long-enough.ts').then(
        ({ scrollWhenLongEnough }) => {
          if (!isLeft) stop = scrollWhenLongEnough(wanted);
        },
        // Then the screen starts at its top.
        () => {},
      );
    const remember = () => {
      top.current = window.scrollY;
    };
    window.addEventListener('scroll', remember, { passive: true });
    return () => {
      isLeft = true;
      stop?.();
      window.removeEventListener('scroll', remember);
      memory.write(key, `${top.current ?? 0} ${here()}`);
    };
  }, [shown]);
}

const here = (): string => window.location.pathname + window.location.search;

/** Written by the page before, if this tab has been at the sign-in meanwhile. */
function readTop(): number {
  const left = memory.read(key)?.split(' ') ?? [];
  memory.write(key, null);
  return left[1] === here() ? Number(left[0]) : 0;
}
