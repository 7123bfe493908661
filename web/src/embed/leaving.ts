import { maintenancePath } from '#features/maintenance/contract/maintenance.ts';
import { watch } from '../platform/state/store.ts';
import { base } from './base.ts';
import type { EmbedPage } from './page.ts';

/** How long an application may take to save what is typed before its page is left, milliseconds. */
const longestSave = 5_000;

export type Saving = () => unknown;

/**
 * Goes to the maintenance page when full maintenance starts, after saving: a page that went on during maintenance
 * would only fail. A person who may bypass maintenance stays.
 */
export function leaveForMaintenance(page: EmbedPage, leaves: () => boolean) {
  const savings = new Set<Saving>();
  let leaving = false;

  const isClosed = () =>
    leaves() &&
    page.embedStatus.fresh.get() &&
    page.maintenance.get().mode === 'full' &&
    !page.can('MAINTENANCE_BYPASS');

  async function leave(): Promise<void> {
    if (leaving) return;
    leaving = true;
    await Promise.race([
      Promise.allSettled([...savings].map(async (save) => save())),
      new Promise<void>((done) => page.clock.after(longestSave, done)),
    ]);
    leaving = false;
    if (!isClosed()) return;
    const { pathname, search, hash } = window.location;
    page.go(`${base}${maintenancePath}?from=${encodeURIComponent(pathname + search + hash)}`);
  }

  const look = () => void (isClosed() && leave());
  for (const source of [page.maintenance, page.rights, page.embedStatus.fresh]) watch<unknown>(source, look);

  return {
    /** Adds a function that is called and awaited before the page is left; returns a function that removes it. */
    before(save: Saving): () => void {
      savings.add(save);
      return () => void savings.delete(save);
    },
  };
}
