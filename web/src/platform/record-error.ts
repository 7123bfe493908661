import type { FailedCall, ReportedError } from '#features/feedback/contract/feedback.ts';
import { newEventId } from './calls/event-id.ts';
import { ProblemError } from './calls/problem-error.ts';
import { createStore, type Readable } from './state/store.ts';

/** A recorded error: the facts that a bug report includes, and the error itself. */
export type RecordedError = ReportedError & { readonly error: unknown };

export type ErrorRecord = {
  /** `what` names the work that failed: `profile.load`. Never holds personal data. */
  record(what: string, error: unknown): void;
  /** Records a call that has failed. @param call method and path, parameters by their names */
  recordCall(call: string, problem: ProblemError): void;
  /** The latest errors, the newest last. */
  readonly recorded: Readable<readonly RecordedError[]>;
  readonly failedCalls: Readable<readonly FailedCall[]>;
};

/** The most errors, and the most failed calls, that a bug report takes (`contextLimits` of the contract). */
const mostRecorded = 20;

/**
 * Stores the last errors and failed calls of this page: bug reports send them along, without messages, since
 * those may contain what a person typed.
 *
 * @param screen the path of the screen that is shown, parameters by their names
 */
export function createErrorRecord(
  now: () => number = Date.now,
  screen: () => string = () => '',
  newId: () => string = newEventId,
): ErrorRecord {
  const recorded = createStore<readonly RecordedError[]>([]);
  const failedCalls = createStore<readonly FailedCall[]>([]);
  return {
    recorded,
    failedCalls,
    record(what, error) {
      const entry = { id: newId(), at: now(), what, ...given('screen', screen()), ...factsOf(error), error };
      const before = recorded.get();
      const last = before.at(-1);
      // A repeated error must not drive out the others.
      const others = last !== undefined && isRepeated(last, entry) ? before.slice(0, -1) : before;
      recorded.set([...others, entry].slice(-mostRecorded));
    },
    recordCall(call, problem) {
      const entry = { at: now(), call, ...outcomeOf(problem) };
      failedCalls.set([...failedCalls.get(), entry].slice(-mostRecorded));
    },
  };
}

/** Records uncaught errors of the page. */
export function watchUncaught(window: Window, errors: Pick<ErrorRecord, 'record'>): void {
  window.addEventListener('error', ({ error }: ErrorEvent) => {
    // Without an error object it is a notice of the browser, or of a script of another origin, which explains
    // nothing.
    if (error !== null && error !== undefined) errors.record('page.error', error);
  });
  window.addEventListener('unhandledrejection', ({ reason }) => errors.record('page.rejection', reason));
}

function isRepeated(one: RecordedError, other: RecordedError): boolean {
  const parts = ['what', 'screen', 'kind', 'script', 'status', 'code'] as const;
  return parts.every((part) => one[part] === other[part]);
}

type Facts = Pick<ReportedError, 'kind' | 'script' | 'status' | 'code' | 'requestId'>;

function factsOf(error: unknown): Facts {
  if (!(error instanceof Error)) return { kind: typeof error };
  const problem = problemOf(error);
  return {
    ...given('kind', named(error.name) ?? 'Error'),
    ...(problem === null ? given('script', scriptOf(error)) : outcomeOf(problem)),
  };
}

/** The problem that an error is or was caused by. */
export function problemOf(error: unknown): ProblemError | null {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; depth += 1) {
    if (cause instanceof ProblemError) return cause;
    ({ cause } = cause);
  }
  return null;
}

function outcomeOf({ status, code, requestId }: ProblemError): Pick<Facts, 'status' | 'code' | 'requestId'> {
  return { status, ...given('code', named(code)), ...given('requestId', named(requestId)) };
}

/** Returns the text if it looks like a name in a program; any other text may have been typed by a person. */
function named(text: string | undefined): string | undefined {
  return text !== undefined && /^[\w.-]{1,64}$/.test(text) ? text : undefined;
}

/** The place in one of the application's scripts at which an error was thrown. */
function scriptOf({ name, message, stack = '' }: Error): string | undefined {
  const head = `${name}: ${message}`;
  const frames = stack.startsWith(head) ? stack.slice(head.length) : stack;
  return /\/assets\/([\w.-]{1,100}\.js:\d{1,9}:\d{1,9})/.exec(frames)?.[1];
}

function given<K extends string, V>(key: K, value: V | undefined): { [_ in K]?: V } {
  return (value === undefined || value === '' ? {} : { [key]: value }) as { [_ in K]?: V };
}
