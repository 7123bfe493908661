import { newEventId } from '../calls/event-id.ts';
import type { ProblemError } from '../calls/problem-error.ts';
import { problemOf, type RecordedError } from '../record-error.ts';
import { createFaultClient, type FaultClientDependencies } from './fault-client.ts';
import type { FaultDependencies } from './fault-dependencies.ts';
import { isForeign, type Fault } from './fault-event.ts';
import { createFaultGate } from './fault-gate.ts';
import { isFault, type BufferedFailedCalls } from './buffered-calls.ts';

type SendingDependencies = Pick<FaultDependencies, 'errors' | 'clock'> &
  FaultClientDependencies & { held: BufferedFailedCalls };

/**
 * A failed call is usually recorded as an error too, with what was being done: both are sent as one. One
 * without an answer may have been ended by the page that is left; by then that page is gone.
 */
const settlesAfter = 1_000;

/** Sends the errors that are held, and from then on each one as it is recorded (DIAG-1). */
export function sendFaults(dependencies: SendingDependencies): void {
  const { errors, clock, held, window } = dependencies;
  const client = createFaultClient(dependencies);
  const gate = createFaultGate<Fault>(clock, client.send);
  const settling = new Map<ProblemError, Fault>();

  function offer(fault: Fault): void {
    const { what, screen = '', kind = '', script = '', status = '', code = '', call = '' } = fault;
    gate.offer([what, screen, kind, script, status, code, call].join('|'), fault);
  }

  function offerSettled(problem: ProblemError): void {
    const fault = settling.get(problem);
    settling.delete(problem);
    // That a device is offline is no fault of the application.
    const isOffline = problem.status === 0 && !window.navigator.onLine;
    if (fault !== undefined && !isOffline) offer(fault);
  }

  function take(recorded: RecordedError): void {
    const problem = problemOf(recorded.error);
    if (problem === null) {
      if (!isForeign(recorded.error, window.location.origin)) offer(recorded);
    } else if (isFault(problem)) {
      const call = settling.get(problem)?.call;
      const fault = call === undefined ? recorded : { ...recorded, call };
      settling.delete(problem);
      if (problem.status === 0) settle(problem, fault);
      else offer(fault);
    }
  }

  function settle(problem: ProblemError, fault: Fault): void {
    settling.set(problem, fault);
    clock.after(settlesAfter, () => offerSettled(problem));
  }

  held.follow(({ problem, call, at, screen }) => {
    const { status, code, requestId = '' } = problem;
    const id = newEventId();
    settle(problem, { id, at, what: 'call', screen, status, code, requestId, call, error: problem });
  });
  errors.recorded.get().forEach(take);
  errors.recorded.subscribe(() => {
    const newest = errors.recorded.get().at(-1);
    if (newest !== undefined) take(newest);
  });
  window.addEventListener('pagehide', () => {
    // A page that is left ends its own calls: those without an answer are no fault.
    for (const problem of settling.keys()) if (problem.status !== 0) offerSettled(problem);
    gate.flush();
  });
}
