import type { FieldProblem } from '#contract/problem.ts';
import type { Draft } from './draft.ts';

/** Why the server refused a report. */
export type Refusal = {
  readonly status: number;
  readonly code: string;
  readonly errors: readonly FieldProblem[];
};

/** `status` 0: there was no answer. */
export type Trouble = Pick<Refusal, 'status' | 'code'>;

/** A report that could not be sent yet. */
export type WaitingReport = {
  readonly draft: Draft;
  /** Since when, by this computer's clock. */
  readonly at: number;
  /** Null: the server has not refused it. */
  readonly refusal: Refusal | null;
  /** Why the last try failed, where another one may succeed; left out: not known. */
  readonly trouble?: Trouble;
};
