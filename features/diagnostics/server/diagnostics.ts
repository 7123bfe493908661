import type { Core } from '#server/core.ts';
import type { Mail } from '#features/mail/server/mail.ts';
import { createAlertMail } from './alerts/alert-mail.ts';
import { createAlerts } from './alerts/alerts.ts';
import { createIntake } from './intake/intake.ts';
import type { StoreReport } from './intake/process-envelope.ts';
import { createRemoval } from './remove-errors.ts';
import { sweepEvents } from './retention.ts';
import { createTracer } from './source-maps/tracer.ts';

/**
 * Errors that applications report with Sentry's SDKs: their intake, alerts and removal.
 *
 * @param parts.feedback stores feedback of Sentry's SDKs in the inbox
 * @param parts.mail for alerts; null where there is no mail server
 */
export async function createDiagnostics(
  core: Core,
  parts: {
    mail: Mail | null;
    productName(): string;
    feedback: { store: StoreReport };
  },
) {
  const ending = new AbortController();
  const alerts = createAlerts(core, createAlertMail(core, parts));
  const intake = await createIntake(core, { onGroups: alerts.onGroups, storeReport: parts.feedback.store });
  const tracer = createTracer();
  const removal = createRemoval(core, ending.signal);
  return {
    /** The key of Portico's own project; null where an operator has revoked it. */
    ownKey: intake.ownKey,
    earlyIntake: intake.early,
    intake,
    tracer,
    /** Starts removing deleted errors and projects. */
    removes: removal.begin,
    sweeps: {
      'deleted errors': removal.run,
      async 'old errors'() {
        const { bytes, most } = await sweepEvents(core, ending.signal);
        intake.measured(bytes, most);
      },
      ...alerts.sweeps,
    },
    /** Called before `close`: long sweeps end between two transactions. */
    endStreams: () => ending.abort(),
    /** Writes the accepted events and forwards the waiting envelopes. */
    async close() {
      await intake.close();
      await alerts.close();
      await removal.close();
      await tracer.close();
    },
  };
}
