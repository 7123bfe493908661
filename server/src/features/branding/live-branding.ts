import type { Core, Feature } from '../../core.ts';
import { accentCss, accentPalette } from '@portico/contract/rules/accent';
import { getMark, ownName } from '@portico/contract/branding';
import { memoryOf } from '../../platform/database/memory.ts';
import type { PageLook } from '../../platform/http/page.ts';
import { readBranding, type StoredBranding } from './branding.store.ts';
import type { Mark } from './read-mark.ts';

export type LiveBranding = Pick<Feature, 'close'> & {
  /** How pages look now; the same object until that changes. */
  look(): PageLook;
  /** The mark under this id, or null where it is not the one that pages show now. */
  mark(id: string): Mark | null | Promise<Mark | null>;
  /** Resolves once what was written before is shown here. */
  caughtUp(): Promise<void>;
};

/** Prepared once for each change and held in memory. */
export async function createLiveBranding({ config, database, feed, logger }: Core): Promise<LiveBranding> {
  const memory = await memoryOf({
    read: async () => {
      const stored = await readBranding(database.read);
      return { stored, look: lookOf(stored, config.basePath) };
    },
    feed,
    topics: ['branding'],
    logger,
    failure: 'the branding could not be read; it is tried again',
  });

  return {
    look: () => memory.current().look,
    mark(id) {
      const shown = memory.current().stored.mark;
      if (shown?.id === id) return shown;
      // A page of another replica may show what has not been published here yet.
      return readBranding(database.read).then(({ mark }) => (mark?.id === id ? mark : null));
    },
    caughtUp: memory.caughtUp,
    close: memory.close,
  };
}

/** The address under which a mark is served. */
export function addressOf(mark: Mark, basePath: string): string {
  return `${basePath}${getMark.path.replace(':markId', mark.id)}`;
}

function lookOf({ name, accent, mark }: StoredBranding, basePath: string): PageLook {
  return {
    product: name ?? ownName,
    mark: mark === null ? null : { url: addressOf(mark, basePath), contentType: mark.contentType },
    css: accent === null ? null : accentCss(accentPalette(accent)),
  };
}
