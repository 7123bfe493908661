import { useCallback, useSyncExternalStore } from 'react';

/** Whether the window is at most `width` px wide. */
export function useNarrow(width: number): boolean {
  const query = `(max-width: ${width}.98px)`;
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}
