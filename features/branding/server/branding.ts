import { accentCss, accentPalette } from '#features/branding/contract/accent.ts';
import { contactLink, getMark, ownName } from '#features/branding/contract/branding.ts';
import type { Core } from '#server/core.ts';
import { memoryOf } from '#server/platform/database/memory.ts';
import type { PageLook } from '#server/platform/http/page.ts';
import { readBranding, type StoredBranding } from './branding.store.ts';
import { type Mark, type Picture, readMonogram } from './read-mark.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { namesEtag } from '#server/platform/http/prepared-answers.ts';

const endings = { 'image/png': 'png', 'image/svg+xml': 'svg', 'image/jpeg': 'jpg' } as const;

/** Answers with a mark or a picture; its address changes whenever the bytes change. */
export function sendMark(
  mark: Picture,
  { request, reply, filename }: { request: FastifyRequest; reply: FastifyReply; filename: string },
): FastifyReply {
  const etag = `"${mark.id}"`;
  reply.headers({
    'cache-control': 'public, max-age=31536000, immutable',
    etag,
    // Also when a browser opens its address directly, the picture cannot run anything.
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'content-disposition': `inline; filename="${filename}.${endings[mark.contentType]}"`,
  });
  if (namesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.type(mark.contentType).send(Buffer.from(mark.bytes));
}

export type LiveBranding = Awaited<ReturnType<typeof createBranding>>;

/** How the installation looks: prepared once for each change and held in memory. */
export async function createBranding({ config, database, feed, logger }: Core) {
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
    /** How pages look now; the same object until that changes. */
    look: () => memory.current().look,
    /** The mark or picture under this id, or null where pages do not show it now. */
    mark(id: string): Picture | null | Promise<Picture | null> {
      const shown = picturesOf(memory.current().stored).find((picture) => picture.id === id);
      if (shown !== undefined) return shown;
      // A page of another replica may show what has not been published here yet.
      return readBranding(database.read).then(
        (stored) => picturesOf(stored).find((picture) => picture.id === id) ?? null,
      );
    },
    /** Resolves once this process shows what was written before. */
    caughtUp: memory.caughtUp,
    close: memory.close,
  };
}

/** The address under which a mark or the picture is served. */
export function addressOf({ id }: Pick<Picture, 'id'>, basePath: string): string {
  return `${basePath}${getMark.path.replace(':markId', id)}`;
}

/** What pages show as the mark: the installation's own, the first letter of its name, or null: Portico's. */
export function shownMark({ name, accent, mark }: StoredBranding): Mark | null {
  if (mark !== null) return mark;
  return name === null ? null : readMonogram(name, accent);
}

function picturesOf(stored: StoredBranding): Picture[] {
  return [shownMark(stored), stored.picture].filter((picture) => picture !== null);
}

function lookOf(stored: StoredBranding, basePath: string): PageLook {
  const { name, accent, picture, contact, statusUrl } = stored;
  const mark = shownMark(stored);
  return {
    product: name ?? ownName,
    mark: mark === null ? null : { url: addressOf(mark, basePath), contentType: mark.contentType },
    css: accent === null ? null : accentCss(accentPalette(accent)),
    panel:
      picture !== null ? { picture: addressOf(picture, basePath) } : mark === null ? 'drawing' : 'accent',
    contact: contact === null ? null : { text: contact, href: contactLink(contact) },
    statusUrl,
  };
}
