import * as contract from '#features/overview/contract/overview.ts';
import type { Core } from '#server/core.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { newId } from '#server/platform/keys/ids.ts';
import { listAudit } from '#features/audit/server/audit-list.ts';
import type { PresentNames } from '#features/audit/server/current-names.ts';
import { reportFigures } from '#features/feedback/server/report-figures.ts';
import { clientsIn, type ConnectedClients } from '#features/flags/server/live-flags.ts';
import type { Presence } from '#features/presence/server/presence.ts';
import {
  type ActivityRow,
  bucketOf,
  evaluationsAMinute,
  figuresOf,
  minuteBit,
  readActivity,
  removeActivity,
  sdksElsewhere,
  sumOfClients,
  writeActivity,
} from './activity-figures.ts';
import { attentionFor, windowsNow } from './attention.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import { recordAudit } from '#features/audit/server/audit.store.ts';

const everyMs = 60_000;

type Counted = {
  presence: { count(): Promise<{ people: number }> };
  flags: { clients(): ConnectedClients; readonly usage: { readonly evaluations: number } };
};

const hourMs = 3_600_000;
/** How far back the charts reach, and the time that one figure covers: about 300 figures each. */
const periods: Record<contract.OverviewPeriod, { length: number; step: number; days: number }> = {
  '24h': { length: 24 * hourMs, step: contract.activityStep, days: 15 },
  '7d': { length: 7 * 24 * hourMs, step: 6 * contract.activityStep, days: 15 },
  '30d': { length: 30 * 24 * hourMs, step: 24 * contract.activityStep, days: 31 },
};
const lastEntries = 6;
const mostWindows = 20;

/** The overview: figures of now and of the last day, what needs an operator, and the last changes (CON-2). */
export function createOverview(
  core: Core,
  parts: {
    presence: Pick<Presence, 'count'>;
    flags: Counted['flags'];
    maintenance: { heldOpen(): boolean };
    rightsOf(caller: Caller): ReadonlySet<string> | Promise<ReadonlySet<string>>;
    names: PresentNames;
  },
) {
  const { database, clock } = core;
  const { presence, flags, maintenance, rightsOf, names } = parts;
  const activity = createActivity(core, parts);

  /** SDKs connected to all processes; those of other processes as of their last row, at most a minute old. */
  function connectedSdks(rows: readonly ActivityRow[], now: number): ConnectedClients {
    return sumOfClients([flags.clients(), ...sdksElsewhere(rows, activity.processId, now)]);
  }

  async function overviewFor(caller: Caller, period: contract.OverviewPeriod): Promise<contract.Overview> {
    const { length, step, days } = periods[period];
    const rights = await rightsOf(caller);
    const now = clock.now();
    const figuresFrom = bucketOf(now - length, step) + step;
    const seesPeople = rights.has('MAINTENANCE_WRITE');
    const seesFlags = rights.has('FLAGS_READ');
    const [rows, people, windows, reports, audit] = await Promise.all([
      seesPeople || seesFlags ? readActivity(database.longReads, figuresFrom) : [],
      seesPeople ? presence.count() : null,
      seesPeople ? windowsNow(core, maintenance.heldOpen) : null,
      rights.has('REPORTS_READ') ? reportFigures(database.longReads, now, days) : null,
      rights.has('AUDIT_READ')
        ? listAudit({ read: database.longReads, names }, { search: '' }, { behind: null, limit: lastEntries })
        : null,
    ]);
    const figures = figuresOf(rows, figuresFrom, now, step);
    const [attention, firstSteps] = await Promise.all([
      attentionFor(core, rights, { windows, reports }),
      rights.has('SETTINGS_WRITE') ? readFirstSteps(core, clientsIn(flags.clients()) > 0) : null,
    ]);
    const latest = rows.filter(({ at }) => at >= bucketOf(now) - contract.activityStep);
    return {
      period,
      figuresFrom,
      figuresStep: step,
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
      attention,
      firstSteps,
      audit: audit?.entries ?? null,
    };
  }

  return {
    async connectedSdks(): Promise<ConnectedClients> {
      const now = clock.now();
      return connectedSdks(await readActivity(database.read, bucketOf(now) - contract.activityStep), now);
    },
    routes(serve: Serve) {
      serve(contract.getOverview, ({ caller, query }) => overviewFor(caller, query.period));
      serve(contract.setFirstSteps, async ({ body, caller }) => {
        await database.change((change) => hideFirstSteps(change, caller, body.hidden));
        return body;
      });
    },
    sweeps: { 'figures of the overview': activity.sweep },
    close: activity.close,
  };
}

/**
 * Writes down each minute how many people and SDKs are connected and how many evaluations there were: one row
 * of this process for each five minutes, written again each minute. A process that is killed loses the minute
 * since its last write (CON-2).
 */
function createActivity(core: Core, { presence, flags }: Counted) {
  const { database, clock, logger } = core;
  const processId = newId();
  let row: ActivityRow | null = null;
  let counted = 0;
  let writing: Promise<void> | null = null;

  async function write(clients: ConnectedClients): Promise<void> {
    const sdks = clientsIn(clients);
    const now = clock.now();
    // A reading counts for the minute before it.
    const middle = Math.max(0, now - everyMs / 2);
    const { people } = await presence.count();
    const at = bucketOf(middle);
    const bit = minuteBit(middle);
    const before = row?.at === at ? row : null;
    const isNew = ((before?.minutes ?? 0) & bit) === 0;
    const evaluations = flags.usage.evaluations;
    const next: ActivityRow = {
      at,
      process_id: processId,
      people: Math.max(before?.people ?? 0, people),
      sdks,
      sdk_keys: JSON.stringify(clients),
      sdk_minutes: (before?.sdk_minutes ?? 0) + (isNew ? sdks : 0),
      minutes: (before?.minutes ?? 0) | bit,
      evaluations: (before?.evaluations ?? 0) + evaluations - counted,
      seen_at: now,
    };
    // The figures of a write that fails go with the next one.
    [row, counted] = [next, evaluations];
    await database.transaction((tx) => writeActivity(tx, next));
  }

  /** @param clients connected to this process */
  function look(clients: ConnectedClients): Promise<void> {
    writing ??= write(clients)
      .catch((error: unknown) => {
        logger.warn({ err: error }, 'the figures of the overview could not be written; it is tried again');
      })
      .finally(() => (writing = null));
    return writing;
  }

  const timer = setInterval(() => void look(flags.clients()), everyMs);
  timer.unref();

  return {
    processId,
    sweep: core.sweeping((tx, now, most) => removeActivity(tx, now - contract.activityRetention, most)),
    /** Writes the last figures; nothing is connected any more. */
    async close() {
      clearInterval(timer);
      await writing;
      await look({});
    },
  };
}

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** One row from the time when an operator hides the list of first steps. */
    first_steps_hidden: { id: number; at: number };
  }
}

/**
 * Which of the first steps are done, by what is there (CON-5).
 *
 * @param isConnected an SDK is connected to this process now
 */
async function readFirstSteps(
  { config, database }: Core,
  isConnected: boolean,
): Promise<contract.FirstSteps> {
  const { read } = database;
  if (await isHidden(read)) return { done: [], hidden: true };
  const some = async (rows: Promise<readonly unknown[]>, least = 1) => (await rows).length >= least;
  const [passkey, codes, app, person, account, flag, sdk, branding] = await Promise.all([
    some(read.selectFrom('passkey').select('id').limit(1).execute()),
    some(
      read
        .selectFrom('one_time_code')
        .select('account_id')
        .where('confirmed_at', 'is not', null)
        .limit(1)
        .execute(),
    ),
    some(read.selectFrom('home_app').select('key').limit(1).execute()),
    some(read.selectFrom('person').select('id').limit(2).execute(), 2),
    some(read.selectFrom('account').select('id').limit(2).execute(), 2),
    some(read.selectFrom('flag').select('key').limit(1).execute()),
    some(read.selectFrom('activity').select('at').where('sdks', '>', 0).limit(1).execute()),
    some(read.selectFrom('branding').select('id').where('changed_at', 'is not', null).execute()),
  ]);
  const isDone: Record<contract.FirstStep, boolean> = {
    // Another provider decides itself what people need to sign in.
    protect: passkey || codes || config.oidc !== null,
    application: app || config.upstreams.length > 0,
    person: person || account,
    flag,
    sdk: sdk || isConnected,
    mail: config.mail !== null,
    branding,
  };
  return {
    done: (Object.keys(isDone) as contract.FirstStep[]).filter((step) => isDone[step]),
    hidden: false,
  };
}

async function isHidden(read: Reader): Promise<boolean> {
  return (await read.selectFrom('first_steps_hidden').select('id').executeTakeFirst()) !== undefined;
}

/** Hides the list for all operators, or shows it again; does nothing where it already is so. */
async function hideFirstSteps(change: Change, caller: Caller, hidden: boolean): Promise<void> {
  const { tx, at } = change;
  if ((await isHidden(tx)) === hidden) return;
  if (!hidden) await tx.deleteFrom('first_steps_hidden').execute();
  else
    await tx
      .insertInto('first_steps_hidden')
      .values({ id: 1, at })
      // Two operators at once.
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  const action = hidden ? 'first-steps.hide' : 'first-steps.show';
  await recordAudit(change, caller, { action, subject: 'first-steps' });
}
