import { getBranding, getMark, setBranding, type Branding } from '@portico/contract/branding';
import type { Config } from '../../config.ts';
import type { Database, Reader } from '../../platform/database/database.ts';
import { invalid, orNotFound } from '../../platform/http/refusals.ts';
import { namesOf } from '../directory/people-names.ts';
import type { Serve } from '../../platform/http/serve.ts';
import { versionedRows } from '../audit/versioned-rows.ts';
import { addressOf, type LiveBranding } from './live-branding.ts';
import { readBranding, writeBranding, type StoredBranding } from './branding.store.ts';
import { MarkError } from './mark-error.ts';
import { readMark, type Mark } from './read-mark.ts';
import { sendMark } from './send-mark.ts';

export type BrandingRoutesOptions = {
  config: Pick<Config, 'basePath'>;
  database: Database;
  branding: LiveBranding;
};

export function brandingRoutes(serve: Serve, options: BrandingRoutesOptions): void {
  const { config, database, branding } = options;

  serve(getBranding, async () =>
    withNames(database.read, await readBranding(database.read), config.basePath),
  );

  serve(setBranding, async ({ body, caller }) => {
    const { mark: chosen, accent, ...rest } = body;
    const mark = chosen == null ? chosen : await markOf(chosen.data);
    const draft = { ...rest, accent: accent?.toLowerCase() ?? null, ...(mark === undefined ? {} : { mark }) };
    const written = await database.change(async (change) => {
      const before = await writeBranding(change, draft, caller.name);
      return brandings.recordWrite(change, caller, {
        action: 'branding.update',
        subject: 'branding',
        before,
      });
    });
    await branding.caughtUp();
    return withNames(database.read, written, config.basePath);
  });

  serve(getMark, async ({ params, request, reply }) => {
    const mark = orNotFound(await branding.mark(params.markId), 'There is no such mark.');
    return sendMark(mark, { request, reply, filename: 'mark' });
  });

  async function markOf(data: string): Promise<Mark> {
    try {
      return await readMark(data);
    } catch (error) {
      if (!(error instanceof MarkError)) throw error;
      throw invalid('/mark', error.mistake, error.message);
    }
  }
}

async function withNames(
  read: Reader,
  { mark, ...stored }: StoredBranding,
  basePath: string,
): Promise<Branding> {
  return {
    ...stored,
    names: await namesOf(read, [stored.changedBy]),
    mark:
      mark === null
        ? null
        : { url: addressOf(mark, basePath), contentType: mark.contentType, bytes: mark.bytes.length },
  };
}

/** The picture itself by its id, which is its hash. */
const brandings = versionedRows({
  find: readBranding,
  audited: ({ name, accent, mark, version }) => ({
    name,
    accent,
    mark: mark === null ? null : { id: mark.id, contentType: mark.contentType, bytes: mark.bytes.length },
    version,
  }),
});
