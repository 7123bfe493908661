import { createStore, type Readable } from '../state/store.ts';

const place = 'portico.letters';
/** Where the choice was stored while only the inbox had such keys. */
const formerPlace = 'portico.inbox.letters';

function saved(): boolean {
  try {
    return (localStorage.getItem(place) ?? localStorage.getItem(formerPlace)) !== 'off';
  } catch {
    return true;
  }
}

const letters = createStore(saved());

/**
 * Whether single letters, digits and signs do something, as chosen in this browser. A person who speaks to
 * the computer needs to switch them off (WCAG 2.1.4).
 */
export const letterKeys: Readable<boolean> = letters;

/** Stores the choice; without storage it lasts as long as the page. */
export function setLetterKeys(on: boolean): void {
  letters.set(on);
  try {
    localStorage.removeItem(formerPlace);
    if (on) localStorage.removeItem(place);
    else localStorage.setItem(place, 'off');
  } catch {
    // Storage is switched off or full: the choice holds for this page.
  }
}
