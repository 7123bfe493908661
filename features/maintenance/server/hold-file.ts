import { stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The break-glass file (MAINT-6): while it lies in the data folder maintenance is off, whatever is set or
 * planned.
 */
export function holdFileIn(dataDir: string): string {
  return join(dataDir, 'maintenance-off');
}

/** Whether the file is there; `otherwise` where that cannot be read. */
export async function isThere(file: string, otherwise: boolean): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    const { code } = error as { code?: string };
    return code === 'ENOENT' || code === 'ENOTDIR' ? false : otherwise;
  }
}
