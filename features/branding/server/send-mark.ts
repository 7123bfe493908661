import type { FastifyReply, FastifyRequest } from 'fastify';
import { namesEtag } from '#server/platform/http/etag.ts';
import type { Picture } from './read-mark.ts';

const endings = { 'image/png': 'png', 'image/svg+xml': 'svg', 'image/jpeg': 'jpg' } as const;

/** Answers with a mark or a picture like it, under an address that changes with it. */
export function sendMark(
  mark: Picture,
  { request, reply, filename }: { request: FastifyRequest; reply: FastifyReply; filename: string },
): FastifyReply {
  const etag = `"${mark.id}"`;
  reply.headers({
    'cache-control': 'public, max-age=31536000, immutable',
    etag,
    // Opened by its address it is a picture that can run nothing.
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'content-disposition': `inline; filename="${filename}.${endings[mark.contentType]}"`,
  });
  if (namesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.type(mark.contentType).send(Buffer.from(mark.bytes));
}
