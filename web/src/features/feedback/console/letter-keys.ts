const place = 'portico.inbox.letters';

/** Whether single letters, digits and signs do something in the inbox, as chosen in this browser. */
export function savedLetterKeys(): boolean {
  try {
    return localStorage.getItem(place) !== 'off';
  } catch {
    return true;
  }
}

/** Stores the choice; without storage it lasts as long as the page. */
export function saveLetterKeys(on: boolean): void {
  try {
    if (on) localStorage.removeItem(place);
    else localStorage.setItem(place, 'off');
  } catch {
    // Storage is switched off or full: the choice holds for this page.
  }
}
