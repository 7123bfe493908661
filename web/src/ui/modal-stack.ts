/** An open modal dialog. */
export type Modal = {
  readonly element: HTMLElement;
  /** `held`: closing it would lose something. `busy`: it cannot be closed now. */
  state(): 'free' | 'held' | 'busy';
  /** Does something that ends the dialog; asks first where that would lose something. */
  leave(instead: () => void): void;
};

/**
 * The modal dialogs that are open, the uppermost last. A modal dialog makes everything outside it inert, what stands
 * in the top layer included; what must stay reachable moves into the uppermost one.
 */
let open: readonly Modal[] = [];
const listeners = new Set<() => void>();

function change(next: readonly Modal[]): void {
  open = next;
  for (const listener of listeners) listener();
}

/** Reports that a dialog has opened; returns what reports that it closes, to be called while it is still in the page. */
export function enterModal(modal: Modal): () => void {
  change([...open, modal]);
  return () => change(open.filter((other) => other !== modal));
}

/** The uppermost open dialog, or null. */
export function uppermostModal(): HTMLElement | null {
  return open.at(-1)?.element ?? null;
}

/** The uppermost open dialog that cannot just be closed, or null. */
export function modalToAsk(): Modal | null {
  return open.findLast((modal) => modal.state() !== 'free') ?? null;
}

/** Calls back after each change, synchronously; returns the way to stop. */
export function watchModals(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
