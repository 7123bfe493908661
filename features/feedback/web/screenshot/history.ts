/** The states of an edit, one after the other, for undo and redo. */
export type History<T> = {
  readonly past: readonly T[];
  readonly present: T;
  readonly future: readonly T[];
  /** The change that the present state belongs to; the next record of the same change replaces it. */
  readonly stroke: string | null;
};

const maxSteps = 100;

export function begin<T>(present: T): History<T> {
  return { past: [], present, future: [], stroke: null };
}

/**
 * Makes `next` the present state; undone states are dropped.
 *
 * @param stroke names a change that goes on over several records, such as moving one mark by keys: one undo
 * reverts it all
 */
export function record<T>(history: History<T>, next: T, stroke: string | null = null): History<T> {
  if (Object.is(next, history.present)) return history;
  const goesOn = stroke !== null && stroke === history.stroke;
  return {
    past: goesOn ? history.past : [...history.past, history.present].slice(-maxSteps),
    present: next,
    future: [],
    stroke,
  };
}

/** Goes one step back; returns the same history if there is none. */
export function undo<T>(history: History<T>): History<T> {
  const before = history.past.at(-1);
  if (before === undefined) return history;
  return {
    past: history.past.slice(0, -1),
    present: before,
    future: [history.present, ...history.future],
    stroke: null,
  };
}

/** Goes one step forward again; returns the same history if there is none. */
export function redo<T>(history: History<T>): History<T> {
  const [next, ...future] = history.future;
  if (next === undefined) return history;
  return { past: [...history.past, history.present], present: next, future, stroke: null };
}
