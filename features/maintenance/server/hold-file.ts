import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '#server/platform/time/clock.ts';
import type { Logger } from '#server/platform/log/logger.ts';

/** The break-glass file, as the last check found it. */
type WatchedHoldFile = {
  isThere(): boolean;
  /** When a check found that the file had come or gone; 0: never since the process started. */
  changedAt(): number;
  /** Checks for the file again; true: it has come or gone. `after` gives the time of maintenance's last change. */
  check(after: () => number): Promise<boolean>;
};

/** The break-glass file (MAINT-6): while it is in the data folder, maintenance is off. */
export function holdFileIn(dataDir: string): string {
  return join(dataDir, 'maintenance-off');
}

/** Whether the file is there; `otherwise` is the answer where that cannot be read. */
export async function isThere(file: string, otherwise: boolean): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    const { code } = error as { code?: string };
    return code === 'ENOENT' || code === 'ENOTDIR' ? false : otherwise;
  }
}

/** @param dataDir the folder in which the file may be */
export async function watchHoldFile(dataDir: string, clock: Clock, logger: Logger): Promise<WatchedHoldFile> {
  const file = holdFileIn(dataDir);
  let wasThere = await isThere(file, false);
  let changedAt = 0;
  let checking = false;

  function log(): void {
    if (wasThere) logger.warn({ file }, 'a file keeps maintenance off, whatever is set or planned');
    else
      logger.warn(
        { file },
        'the file that kept maintenance off is gone; what is set and planned applies again',
      );
  }

  if (wasThere) log();
  return {
    isThere: () => wasThere,
    changedAt: () => changedAt,
    async check(after) {
      if (checking) return false;
      checking = true;
      const isNowThere = await isThere(file, wasThere);
      checking = false;
      if (isNowThere === wasThere) return false;
      changedAt = Math.max(clock.now(), after() + 1);
      wasThere = isNowThere;
      log();
      return true;
    },
  };
}
