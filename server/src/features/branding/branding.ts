import { accentCss, accentPalette } from '@portico/contract/accent';
import { getMark, ownName } from '@portico/contract/branding';
import type { ChangeFeed } from '../../platform/change-feed.ts';
import type { Database } from '../../platform/database.ts';
import type { Logger } from '../../platform/logger.ts';
import type { PageLook } from '../../platform/page.ts';
import { readBranding, type KeptBranding } from './branding.store.ts';
import type { Mark } from './read-mark.ts';

export type LiveBranding = {
  /** How pages look now; the same object until that changes. */
  look(): PageLook;
  /** The mark under this id, or null where it is not the one that pages show now. */
  mark(id: string): Mark | null | Promise<Mark | null>;
  /** Resolves once what was written before is shown here. */
  caughtUp(): Promise<void>;
  close(): void;
};

/** How the installation looks, prepared once for each change and kept in memory. */
export async function createBranding(parts: {
  database: Database;
  feed: ChangeFeed;
  logger: Logger;
}): Promise<LiveBranding> {
  const { database, feed, logger } = parts;
  let kept = await readBranding(database.read);
  let look = lookOf(kept);
  let closed = false;
  let retry: NodeJS.Timeout | undefined;
  // One reading after the other, so that an older one never counts last.
  let reading: Promise<void> = Promise.resolve();

  function readAgain(): void {
    clearTimeout(retry);
    reading = reading.then(async () => {
      if (closed) return;
      try {
        kept = await readBranding(database.read);
        look = lookOf(kept);
      } catch (error) {
        logger.error({ err: error }, 'the branding could not be read; it is tried again');
        retry = setTimeout(readAgain, 1_000);
      }
    });
  }
  feed.on('branding', readAgain);

  return {
    look: () => look,
    mark(id) {
      if (kept.mark?.id === id) return kept.mark;
      // A page of another replica may show what has not been told here yet.
      return readBranding(database.read).then(({ mark }) => (mark?.id === id ? mark : null));
    },
    caughtUp: () => reading,
    close() {
      closed = true;
      clearTimeout(retry);
    },
  };
}

/** The address under which a mark is served. */
export function addressOf(mark: Mark): string {
  return getMark.path.replace(':markId', mark.id);
}

function lookOf({ name, accent, mark }: KeptBranding): PageLook {
  return {
    product: name ?? ownName,
    mark: mark === null ? null : { url: addressOf(mark), contentType: mark.contentType },
    css: accent === null ? null : accentCss(accentPalette(accent)),
  };
}
