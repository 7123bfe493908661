/** An open modal dialog. */
export type Modal = {
  readonly element: HTMLElement;
  /** `held`: closing it would lose something. `busy`: it cannot be closed now. */
  state(): 'free' | 'held' | 'busy';
  /** Runs `instead`, which ends the dialog; asks first if something would be lost. */
  leave(instead: () => void): void;
};

/**
 * The open modal dialogs, the uppermost last. A modal dialog makes everything outside it inert, even
 * in the top layer; what must stay usable moves into the uppermost one.
 */
let open: readonly Modal[] = [];
const listeners = new Set<() => void>();

function change(next: readonly Modal[]): void {
  open = next;
  for (const listener of listeners) listener();
}

/** Registers an open dialog; returns a function that unregisters it. Call that while it is in the document. */
export function enterModal(modal: Modal): () => void {
  change([...open, modal]);
  return () => change(open.filter((other) => other !== modal));
}

/** The uppermost open dialog, or null. */
export function uppermostModal(): HTMLElement | null {
  return open.at(-1)?.element ?? null;
}

/** The uppermost open dialog that cannot be closed without asking, or null. */
export function modalToAsk(): Modal | null {
  return open.findLast((modal) => modal.state() !== 'free') ?? null;
}

/** Calls the listener synchronously after each change; returns a function that removes the listener. */
export function watchModals(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
