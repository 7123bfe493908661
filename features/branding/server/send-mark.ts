import type { FastifyReply, FastifyRequest } from 'fastify';
import { namesEtag } from '#server/platform/http/etag.ts';
import type { Picture } from './read-mark.ts';

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
