import { newEventId } from '../calls/event-id.ts';
import type { ProblemError } from '../calls/problem-error.ts';
import { problemOf, type RecordedError } from '../record-error.ts';
import { createFaultClient, type FaultClientEdges } from './fault-client.ts';
import { isForeign, type Fault } from './fault-event.ts';
import { createFaultGate } from './fault-gate.ts';
import { isFault, type HeldFaults } from './held-faults.ts';
import type { FaultEdges } from './start-faults.ts';

type SendingEdges = Pick<FaultEdges, 'errors' | 'clock'> & FaultClientEdges & { held: HeldFaults };

/** A failed call is usually recorded as an error too, with what was being done: both are sent as one. */
const settlesAfter = 1_000;

/** Sends the errors that are held, and from then on each one as it is recorded (DIAG-1). */
export function sendFaults(edges: SendingEdges): void {
  const { errors, clock, held, window } = edges;
  const client = createFaultClient(edges);
  const gate = createFaultGate<Fault>(clock, client.send);
  const settling = new Map<ProblemError, Fault>();

  function offer(fault: Fault): void {
    const { what, screen = '', kind = '', script = '', status = '', code = '', call = '' } = fault;
    gate.offer([what, screen, kind, script, status, code, call].join('|'), fault);
  }

  function offerSettled(problem: ProblemError): void {
    const fault = settling.get(problem);
    if (settling.delete(problem) && fault !== undefined) offer(fault);
  }

  function take(recorded: RecordedError): void {
    const problem = problemOf(recorded.error);
    if (problem === null) {
      if (!isForeign(recorded.error, window.location.origin)) offer(recorded);
    } else if (isFault(problem)) {
      const call = settling.get(problem)?.call;
      settling.delete(problem);
      offer(call === undefined ? recorded : { ...recorded, call });
    }
  }

  held.follow(({ problem, call, at, screen }) => {
    const { status, code, requestId = '' } = problem;
    const id = newEventId();
    settling.set(problem, { id, at, what: 'call', screen, status, code, requestId, call, error: problem });
    clock.after(settlesAfter, () => offerSettled(problem));
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
