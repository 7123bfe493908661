import { createStore, type Readable } from './store.ts';

/** An error that was recorded rather than shown. */
export type RecordedError = { readonly at: number; readonly what: string; readonly error: unknown };

export type ErrorRecord = {
  /** `what` names the work that failed, for the person who reads the record: `profile.load`. Never holds personal data. */
  record(what: string, error: unknown): void;
  /** The latest, newest last. */
  readonly recorded: Readable<readonly RecordedError[]>;
};

const kept = 20;

/** Keeps the last errors of this tab; what sends diagnostics reads them here. */
export function createErrorRecord(now: () => number = Date.now): ErrorRecord {
  const recorded = createStore<readonly RecordedError[]>([]);
  return {
    recorded,
    record(what, error) {
      recorded.set([...recorded.get(), { at: now(), what, error }].slice(-kept));
    },
  };
}
