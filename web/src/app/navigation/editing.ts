import { guardedPlaces } from '../../platform/forms/unsaved-work.ts';

export type Editing = {
  /** Whether leaving now would lose something that a person has typed. */
  isEditing(): boolean;
  /** Watches the fields inside this element; returns a function that stops watching. */
  watch(place: HTMLElement | null): (() => void) | undefined;
};

const touched = new Set<HTMLElement>();

function stillThere(): ReadonlySet<HTMLElement> {
  for (const one of touched) if (!one.isConnected) touched.delete(one);
  return touched;
}

/** Whether a field of a dialog holds a text that was typed into it. */
export function hasTouchedFields(): boolean {
  return [...stillThere()].some(
    (field) =>
      (field instanceof HTMLTextAreaElement ||
        (field instanceof HTMLInputElement && field.type !== 'search')) &&
      field.value.trim() !== '',
  );
}

/**
 * Detects unsaved work: what a form declares (`useUnsavedWork`), and every edited field of a dialog that is still
 * in the document, since a dialog closes when its work is done.
 */
export function createEditing(): Editing {
  return {
    isEditing: () => stillThere().size > 0 || guardedPlaces.get() > 0,
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
