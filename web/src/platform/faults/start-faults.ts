import type { FaultDependencies } from './fault-dependencies.ts';
import { bufferFailedCalls } from './buffered-calls.ts';

/**
 * Reports the errors of this page to the server, or where the installation's settings say (DIAG-1). The code
 * for it is loaded when the page is shown and the browser idle; until then errors are held.
 */
export function startFaults(dependencies: FaultDependencies): void {
  const { faults } = dependencies.boot;
  if (faults === null) return;
  const held = bufferFailedCalls(dependencies.api, dependencies.clock.now, dependencies.screen);
  const load = () =>
    void import('./send-faults.ts').then(
      ({ sendFaults }) => sendFaults({ ...dependencies, faults, held, window }),
      // Nothing is there that could report it.
      () => undefined,
    );
  const whenIdle = () =>
    'requestIdleCallback' in window ? requestIdleCallback(load, { timeout: 5_000 }) : setTimeout(load, 1_000);
  if (document.readyState === 'complete') whenIdle();
  else window.addEventListener('load', whenIdle, { once: true });
}
