import { createSignal, createStore, type Readable, watch } from '#web/platform/state/store.ts';
import type { Clock } from '#web/platform/time/clock.ts';
import type { GateView } from './gate-view.ts';

/** When data is loaded again after the page has covered the screens; see `Maintenance`. */
export function watchReturn(
  gate: Readable<GateView>,
  within: () => number,
  { clock, random }: { clock: Clock; random: () => number },
): { returning: Readable<boolean>; onReopened: (listener: () => void) => () => void } {
  const reopened = createSignal();
  const returning = createStore(false);
  let cancelReturn = () => {};
  watch(gate, (now) => {
    cancelReturn();
    // A person who passes through works at once.
    if (now === 'page' || now === 'passed') returning.set(now === 'page');
    else if (returning.get())
      cancelReturn = clock.after(random() * within(), () => {
        returning.set(false);
        reopened.publish();
      });
  });
  return { returning, onReopened: reopened.subscribe };
}
