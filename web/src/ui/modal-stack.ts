/**
 * The modal dialogs that are open, the uppermost last. A modal dialog makes everything outside it inert, what stands
 * in the top layer included; whoever must stay reachable moves into the uppermost one.
 */
let open: readonly HTMLElement[] = [];
const listeners = new Set<() => void>();

function change(next: readonly HTMLElement[]): void {
  open = next;
  for (const listener of listeners) listener();
}

/** Tells that a dialog has opened; gives back what tells that it closes, to be called while it is still in the page. */
export function enterModal(dialog: HTMLElement): () => void {
  change([...open, dialog]);
  return () => change(open.filter((other) => other !== dialog));
}

/** The uppermost open dialog, or null. */
export function uppermostModal(): HTMLElement | null {
  return open.at(-1) ?? null;
}

/** Calls back after each change, synchronously; gives back the way to stop. */
export function watchModals(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
