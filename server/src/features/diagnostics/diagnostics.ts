import type { Core } from '../../core.ts';
import type { Serve } from '../../platform/http/serve.ts';
import { createIntake } from './intake/intake.ts';

/** Errors that applications report with Sentry's SDKs: what comes in, and what operators read of it. */
export async function createDiagnostics(core: Core) {
  const intake = await createIntake(core);
  return {
    /** The key of Portico's own project; null where an operator has revoked it. */
    ownKey: intake.ownKey,
    routes(serve: Serve) {
      intake.routes(serve);
    },
    /** Writes what has been accepted and sends on what waits. */
    close: intake.close,
  };
}
