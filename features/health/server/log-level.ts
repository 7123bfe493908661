import { readSetting, writeSetting } from '#server/platform/database/setting.ts';
import * as z from 'zod/mini';
import { recordAudit, type Actor } from '#features/audit/server/audit.store.ts';
import { logLevels, otherLevelMs } from '#features/health/contract/doctor.ts';
import type { Core } from '#server/core.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { setLevel } from '#server/platform/log/logger.ts';

const name = 'log.level';
const stored = z.object({ level: z.enum(logLevels), until: z.number() });
type OtherLevel = z.infer<typeof stored>;

/** Another log level for 15 minutes, on all replicas and across restarts (RUN-12). */
export function createLogLevel({ database, feed, clock, logger }: Core) {
  let current: OtherLevel | null = null;
  const usual = logger.level;
  let timer: NodeJS.Timeout | undefined;

  function show(): { level: string; until: number | null } {
    const { level, until } = current ?? { level: usual, until: null };
    return { level, until };
  }

  function apply(wanted: OtherLevel | null): void {
    clearTimeout(timer);
    const left = (wanted?.until ?? 0) - clock.now();
    current = left > 0 ? wanted : null;
    if (logger.level !== show().level) setLevel(logger, show().level);
    if (current !== null) timer = setTimeout(() => apply(null), left).unref();
  }

  async function follow(): Promise<void> {
    apply(await readLevel(database.read));
  }

  feed.on('log-level', () => {
    follow().catch((error: unknown) => logger.warn({ err: error }, 'the log level could not be read'));
  });

  return {
    begin: follow,
    show,
    async set(level: OtherLevel['level'] | null, caller: Actor): Promise<void> {
      await database.change(async (change) => {
        const { at } = change;
        const wanted = level === null ? null : { level, until: at + otherLevelMs };
        if (wanted !== null) await writeSetting(change.tx, name, JSON.stringify(wanted));
        else await change.tx.deleteFrom('setting').where('name', '=', name).execute();
        change.publish('log-level');
        await recordAudit(change, caller, {
          action: 'log.level',
          subject: 'log',
          before: { level: show().level },
          after: { level: level ?? usual },
        });
      });
      await follow();
    },
    close: () => clearTimeout(timer),
  };
}

async function readLevel(read: Reader): Promise<OtherLevel | null> {
  const value = await readSetting(read, name);
  return value === null ? null : stored.parse(JSON.parse(value));
}
