import { activityStep, getOverview, type Overview } from '#features/overview/contract/overview.ts';
import type { Core } from '#server/core.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { listAudit } from '#features/audit/server/audit-list.ts';
import type { PresentNames } from '#features/audit/server/current-names.ts';
import { reportFigures } from '#features/feedback/server/report-figures.ts';
import { clientsIn, type ConnectedClients } from '#features/flags/server/live-flags.ts';
import type { Presence } from '#features/presence/server/counter.ts';
import { createActivity, type Counted } from './activity.ts';
import { bucketOf, evaluationsAMinute, figuresOf, sdksElsewhere, sumOfClients } from './activity-figures.ts';
import { readActivity, type ActivityRow } from './activity.store.ts';
import { attentionFor } from './attention.ts';
import { windowsNow } from './windows-now.ts';

export type OverviewParts = {
  presence: Pick<Presence, 'count'>;
  flags: Counted['flags'];
  maintenance: { heldOpen(): boolean };
  rightsOf(caller: Caller): ReadonlySet<string> | Promise<ReadonlySet<string>>;
  names: PresentNames;
};

const dayMs = 24 * 3_600_000;
const lastEntries = 6;
const mostWindows = 20;

/** What goes on: figures of now and of the last day, what needs an operator, and the last changes (CON-2). */
export function createOverview(core: Core, parts: OverviewParts) {
  const { database, clock } = core;
  const { presence, flags, maintenance, rightsOf, names } = parts;
  const activity = createActivity(core, parts);

  /** SDKs connected to all processes; those of other processes as of their last row, at most a minute old. */
  function connectedSdks(rows: readonly ActivityRow[], now: number): ConnectedClients {
    return sumOfClients([flags.clients(), ...sdksElsewhere(rows, activity.processId, now)]);
  }

  async function overviewFor(caller: Caller): Promise<Overview> {
    const rights = await rightsOf(caller);
    const now = clock.now();
    const figuresFrom = bucketOf(now - dayMs) + activityStep;
    const seesPeople = rights.has('MAINTENANCE_WRITE');
    const seesFlags = rights.has('FLAGS_READ');
    const [rows, people, windows, reports, audit] = await Promise.all([
      seesPeople || seesFlags ? readActivity(database.read, figuresFrom) : [],
      seesPeople ? presence.count() : null,
      seesPeople ? windowsNow(core, maintenance.heldOpen) : null,
      rights.has('REPORTS_READ') ? reportFigures(database.longReads, now) : null,
      rights.has('AUDIT_READ')
        ? listAudit({ read: database.longReads, names }, { search: '' }, { behind: null, limit: lastEntries })
        : null,
    ]);
    const figures = figuresOf(rows, figuresFrom, now);
    const latest = rows.filter(({ at }) => at >= bucketOf(now) - activityStep);
    return {
      figuresFrom,
      people: people === null ? null : { ...people, figures: figures.people },
      reports,
      windows: windows?.windows.slice(0, mostWindows) ?? null,
      sdks: !seesFlags
        ? null
        : {
            connected: clientsIn(connectedSdks(latest, now)),
            evaluations: evaluationsAMinute(latest),
            figures: figures.sdks,
            evaluationFigures: figures.evaluations,
          },
      attention: await attentionFor(core, rights, { windows, reports }),
      audit: audit?.entries ?? null,
    };
  }

  return {
    async connectedSdks(): Promise<ConnectedClients> {
      const now = clock.now();
      return connectedSdks(await readActivity(database.read, bucketOf(now) - activityStep), now);
    },
    routes: (serve: Serve) => serve(getOverview, ({ caller }) => overviewFor(caller)),
    sweeps: { 'figures of the overview': activity.sweep },
    close: activity.close,
  };
}
