import { getMaintenance, getMaintenanceStatus, setMaintenance } from '@portico/contract/maintenance';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Change } from '../../platform/database.ts';
import { HttpProblem } from '../../platform/http-problem.ts';
import type { Serve } from '../../platform/serve.ts';
import type { Actor, AuditEntry } from '../audit/audit.store.ts';
import type { Maintenance } from './maintenance.ts';
import { readMaintenance, writeMaintenance, type KeptMaintenance } from './maintenance.store.ts';

export type MaintenanceRoutesOptions = {
  database: Database;
  clock: Clock;
  maintenance: Maintenance;
  /** Resolves when the flags that this process serves say what `maintenance` says. */
  projected: () => Promise<void>;
  recordAudit: (change: Change, actor: Actor, entry: AuditEntry) => Promise<void>;
};

/** The public status, and the operator's switch and notice. */
export function maintenanceRoutes(serve: Serve, options: MaintenanceRoutesOptions): void {
  const { database, clock, maintenance, recordAudit } = options;

  const status = () => ({ ...maintenance.now(), serverTime: clock.now() });

  serve(getMaintenanceStatus, status);

  serve(getMaintenance, async () => answer(await readMaintenance(database.read)));

  serve(setMaintenance, async ({ body, caller }) => {
    if (maintenance.source === 'flag-host') {
      throw new HttpProblem('CONFLICT', {
        detail: 'Maintenance is set on the flag host that FLAGS_HOST names.',
      });
    }
    const kept = await database.change(async (change) => {
      const { before, after } = await writeMaintenance(change, body, caller.name);
      await recordAudit(change, caller, { action: 'maintenance.set', subject: 'maintenance', before, after });
      return after;
    });
    // Whoever reads the answer finds the gate, the page, the status and the flags as it says.
    await maintenance.caughtUp();
    await options.projected();
    return answer(kept);
  });

  function answer(kept: KeptMaintenance) {
    // With another flag host the own row is asleep; what is in force is what is shown.
    const inForce = maintenance.source === 'flag-host' ? { ...kept, ...maintenance.now() } : kept;
    return { ...inForce, source: maintenance.source, heldOpen: false, inForce: status() };
  }
}
