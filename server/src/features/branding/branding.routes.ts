import { getBranding, getMark, setBranding, type Branding } from '@portico/contract/branding';
import type { Change, Database } from '../../platform/database.ts';
import { namesEtag } from '../../platform/etag.ts';
import { HttpProblem } from '../../platform/http-problem.ts';
import type { Serve } from '../../platform/serve.ts';
import type { Actor, AuditEntry } from '../audit/audit.store.ts';
import { addressOf, type LiveBranding } from './branding.ts';
import { readBranding, writeBranding, type KeptBranding } from './branding.store.ts';
import { MarkError } from './mark-error.ts';
import { readMark, type Mark, type Sniff } from './read-mark.ts';

export type BrandingRoutesOptions = {
  database: Database;
  branding: LiveBranding;
  sniff: Sniff;
  recordAudit: (change: Change, actor: Actor, entry: AuditEntry) => Promise<void>;
};

export function brandingRoutes(serve: Serve, options: BrandingRoutesOptions): void {
  const { database, branding, recordAudit } = options;

  serve(getBranding, async () => told(await readBranding(database.read)));

  serve(setBranding, async ({ body, caller }) => {
    const { mark: chosen, accent, ...rest } = body;
    const mark = chosen == null ? chosen : await markOf(chosen.data);
    const draft = { ...rest, accent: accent?.toLowerCase() ?? null, ...(mark === undefined ? {} : { mark }) };
    const written = await database.change(async (change) => {
      const { before, after } = await writeBranding(change, draft, caller.name);
      await recordAudit(change, caller, {
        action: 'branding.update',
        subject: 'branding',
        before: audited(before),
        after: audited(after),
      });
      return after;
    });
    await branding.caughtUp();
    return told(written);
  });

  serve(getMark, async ({ params, request, reply }) => {
    const mark = await branding.mark(params.markId);
    if (mark === null) throw new HttpProblem('NOT_FOUND', { detail: 'There is no such mark.' });
    const etag = `"${mark.id}"`;
    reply.headers({
      'cache-control': 'public, max-age=31536000, immutable',
      etag,
      // Whoever opens it by its address sees a picture that can do nothing.
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'content-disposition': `inline; filename="mark.${mark.contentType === 'image/png' ? 'png' : 'svg'}"`,
    });
    if (namesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.type(mark.contentType).send(Buffer.from(mark.bytes));
  });

  async function markOf(data: string): Promise<Mark> {
    try {
      return await readMark(data, options.sniff);
    } catch (error) {
      if (!(error instanceof MarkError)) throw error;
      const wrong = { pointer: '/mark', code: error.mistake, message: error.message };
      throw new HttpProblem('INVALID_BODY', { errors: [wrong] });
    }
  }
}

function told({ mark, ...kept }: KeptBranding): Branding {
  return {
    ...kept,
    mark:
      mark === null
        ? null
        : { url: addressOf(mark), contentType: mark.contentType, bytes: mark.bytes.length },
  };
}

/** The picture itself by its id, which is its hash. */
function audited({ name, accent, mark, version }: KeptBranding) {
  return {
    name,
    accent,
    mark: mark === null ? null : { id: mark.id, contentType: mark.contentType, bytes: mark.bytes.length },
    version,
  };
}
