import { guardedPlaces } from '../platform/unsaved-work.ts';

export type Editing = {
  /** Whether leaving the place now would lose something that somebody has typed. */
  isEditing(): boolean;
  /** Looks at this place from now on; answers how to stop. */
  watch(place: HTMLElement | null): (() => void) | undefined;
};

/**
 * Notices typed-in work: what a form says of itself (`useUnsavedWork`, `useGuardedLeaving`), and every field of a dialog that has been touched
 * and is still there, since a dialog closes when it has done its work.
 */
export function createEditing(): Editing {
  const touched = new Set<HTMLElement>();
  return {
    isEditing() {
      for (const one of touched) if (!one.isConnected) touched.delete(one);
      return touched.size > 0 || guardedPlaces.get() > 0;
    },
    watch(place) {
      if (place === null) return undefined;
      const touch = ({ target }: Event) => {
        if (target instanceof HTMLElement && target.closest('dialog') !== null) touched.add(target);
      };
      place.addEventListener('input', touch);
      return () => place.removeEventListener('input', touch);
    },
  };
}
