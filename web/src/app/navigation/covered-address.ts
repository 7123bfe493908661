import { maintenancePath } from '#features/maintenance/contract/maintenance.ts';
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { AppRouter } from './router.tsx';
import { base } from '../../platform/base.ts';

/**
 * While the maintenance page covers the application its address stands in the address bar, and the screen
 * below stays where it is (MAINT-3): the router's own location does not change, only the address that it
 * shows. A reload then gets the page from the server, which knows by `from` where to return to.
 */
export function useCoveredAddress(router: AppRouter, covered: boolean): void {
  useEffect(() => {
    if (!covered) return undefined;
    const show = (mask: { to: string; search: { from: string } } | null) => {
      void router.navigate({
        to: '.',
        search: true,
        hash: true,
        // The router ignores a change of the shown address alone, hence the mark in its state.
        state: (state) => ({ ...state, covered: mask !== null }),
        replace: true,
        resetScroll: false,
        ignoreBlocker: true,
        ...(mask === null ? {} : { mask }),
      } as Parameters<AppRouter['navigate']>[0]);
    };
    // "Back" leads to a screen and shows its address again.
    const cover = () => {
      const { href, maskedLocation } = router.latestLocation;
      if (maskedLocation === undefined) show({ to: maintenancePath, search: { from: base + href } });
    };
    cover();
    const stop = router.subscribe('onRendered', cover);
    return () => {
      stop();
      show(null);
    };
  }, [router, covered]);
}

/** Restores focus and scroll position once the screen is no longer covered. */
export function useRestoredPosition(covered: boolean): void {
  const place = useRef<{ top: number; focused: Element | null }>({ top: 0, focused: null });
  useLayoutEffect(() => {
    if (covered) return undefined;
    const { top, focused } = place.current;
    const back = requestAnimationFrame(() => {
      if (top > 0) window.scrollTo(0, top);
      if (focused instanceof HTMLElement && focused.isConnected) focused.focus({ preventScroll: true });
    });
    // A covered page is short and loses its scroll position.
    const remember = () => {
      place.current.top = window.scrollY;
    };
    place.current = { top: window.scrollY, focused: null };
    window.addEventListener('scroll', remember, { passive: true });
    return () => {
      cancelAnimationFrame(back);
      window.removeEventListener('scroll', remember);
      place.current.focused = document.activeElement;
    };
  }, [covered]);
}
