import { feature } from '#server/feature.ts';
import * as contract from '#features/branding/contract/branding.ts';
import type { Core } from '#server/core.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { invalid, orNotFound } from '#server/platform/http/http-problem.ts';
import { namesOf } from '#features/directory/server/people-names.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { versionedRows } from '#features/audit/server/versioned-rows.ts';
import { addressOf, type LiveBranding, sendMark, shownMark } from './branding.ts';
import { readBranding, writeBranding, type StoredBranding } from './branding.store.ts';
import { MarkError, readMark, readPicture, type Picture } from './read-mark.ts';

export const brandingFeature = feature({
  create: (core, { branding }) => ({
    ...branding,
    routes: (serve) => brandingRoutes(serve, core, branding),
  }),
  fates: {
    branding: {
      'not personal': ['accent', 'mark_id', 'mark_type', 'picture_id', 'picture_type'],
      name: ['changed_by'],
      id: ['changed_by_id'],
      'free text': ['name', 'contact', 'status_url'],
    },
  },
});

/** RFC 9116 recommends less than a year; programs that read the file ask for it again. */
const securityTxtMs = 30 * 86_400_000;

function brandingRoutes(serve: Serve, { clock, config, database }: Core, branding: LiveBranding): void {
  serve(contract.getBranding, async () =>
    withNames(database.read, await readBranding(database.read), config.basePath),
  );

  serve(contract.setBranding, async ({ body, caller }) => {
    const { name, accent, mark, picture, contact, statusUrl, version } = body;
    if (statusUrl != null && !URL.canParse(statusUrl))
      throw invalid('/statusUrl', 'address', 'is not an address that browsers can open');
    const draft = {
      name,
      accent: accent?.toLowerCase() ?? null,
      version,
      ...(mark === undefined ? {} : { mark: await read(mark, readMark, '/mark') }),
      ...(picture === undefined ? {} : { picture: await read(picture, readPicture, '/picture') }),
      ...(contact === undefined ? {} : { contact }),
      ...(statusUrl === undefined ? {} : { statusUrl }),
    };
    const written = await database.change(async (change) => {
      const before = await writeBranding(change, draft, caller);
      return brandings.recordWrite(change, caller, {
        action: 'branding.update',
        subject: 'branding',
        before,
      });
    });
    await branding.caughtUp();
    return withNames(database.read, written, config.basePath);
  });

  serve(contract.getMark, async ({ params, request, reply }) => {
    const mark = orNotFound(await branding.mark(params.markId), 'There is no such mark.');
    return sendMark(mark, { request, reply, filename: 'mark' });
  });

  serve(contract.securityTxt, ({ reply }) => {
    const contact = orNotFound(branding.look().contact?.href, 'The branding has no contact with an address.');
    const expires = new Date(clock.now() + securityTxtMs).toISOString().replace(/\.\d+/, '');
    const canonical = `${config.publicUrl}${contract.securityTxt.path}`;
    void reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(`Contact: ${contact}\nExpires: ${expires}\nCanonical: ${canonical}\n`);
  });
}

/** Reads a sent picture. Throws INVALID_BODY at this pointer for a file that cannot be one. */
async function read<P>(
  sent: { data: string } | null,
  as: (data: string) => Promise<P>,
  pointer: string,
): Promise<P | null> {
  try {
    return sent === null ? null : await as(sent.data);
  } catch (error) {
    if (!(error instanceof MarkError)) throw error;
    throw invalid(pointer, error.mistake, error.message);
  }
}

async function withNames(
  reader: Reader,
  stored: StoredBranding,
  basePath: string,
): Promise<contract.Branding> {
  const asSent = (picture: Picture | null) =>
    picture === null
      ? null
      : {
          url: addressOf(picture, basePath),
          contentType: picture.contentType,
          bytes: picture.bytes.length,
        };
  return {
    ...stored,
    names: await namesOf(reader, [stored.changedBy]),
    mark: asSent(stored.mark),
    picture: asSent(stored.picture),
    shownMark: asSent(shownMark(stored)),
  };
}

/** The pictures by their ids, which are their hashes. */
const brandings = versionedRows({
  find: readBranding,
  audited: ({ name, accent, mark, picture, contact, statusUrl, version }) => ({
    name,
    accent,
    mark: withoutBytes(mark),
    picture: withoutBytes(picture),
    contact,
    statusUrl,
    version,
  }),
});

function withoutBytes(picture: Picture | null): object | null {
  return picture === null ? null : { ...picture, bytes: picture.bytes.length };
}
