import type { FastifyRequest } from 'fastify';
import type { MaintenanceStatus } from '#features/maintenance/contract/maintenance.ts';
import { type Embed, getEmbed } from '#features/embed/contract/embed.ts';
import { sessionHeader } from '#features/session/contract/session.ts';
import { feature } from '#server/feature.ts';
import type { Core } from '#server/core.ts';
import { nullUnlessStorageFailed } from '#server/platform/database/storage-failure.ts';
import { type AccessControl, type Caller, refuseCrossSite } from '#server/platform/http/access-check.ts';
import { languageOf, type PageLook } from '#server/platform/http/page.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import type { RightsInMemory } from '#features/permissions/server/effective-rights.ts';
import { labelsOfRights } from '#features/permissions/server/rules.store.ts';
import { profileOf } from '#features/profile/server/profile.store.ts';

export const embedFeature = feature({
  create: createEmbed,
});

/** The data that `portico.js` starts with in the pages of an application (GATE-3). */
function createEmbed(
  { config, clock, database, feed, hosts, version }: Core,
  parts: {
    session: {
      identifySession: AccessControl['identifySession'];
      /** A token for the session of this caller. */
      issueToken(caller: Caller): Promise<{ accessToken: string; expiresAt: number }>;
    };
    permissions: Pick<RightsInMemory, 'ofPerson'>;
    /** The present values of flags for a person; null: the values for people who are not signed in. */
    flags: { valuesFor(personId: string | null): Promise<Record<string, unknown>> };
    maintenance: { now(): Omit<MaintenanceStatus, 'serverTime'> };
    branding: { look(): PageLook };
  },
) {
  async function callerOf(request: FastifyRequest): Promise<Caller | null> {
    if (request.headers[sessionHeader] === undefined) return null;
    const host = hosts.otherOfRequest(request.raw);
    refuseCrossSite(request, hosts.originOf(host));
    return parts.session.identifySession(request.headers.cookie, null, host).catch(nullUnlessStorageFailed);
  }

  async function answer(request: FastifyRequest): Promise<Embed> {
    // The id is read before anything else, so that all other data is at least as new.
    const eventId = String(feed.publishedAt());
    const caller = await callerOf(request);
    const profile = caller === null ? null : await profileOf(database.read, caller.id);
    const rights = caller === null ? [] : ((await parts.permissions.ofPerson(caller.id))?.sorted ?? []);
    const flags = await parts.flags.valuesFor(caller?.id ?? null);
    const localFlags = caller === null ? [] : config.localFlags;
    const { product, css } = parts.branding.look();
    const now = clock.now();
    return {
      user:
        profile === null
          ? null
          : {
              id: profile.id,
              email: profile.email,
              firstName: profile.firstName,
              lastName: profile.lastName,
              language: profile.locale,
              timeZone: profile.timeZone,
            },
      token: caller === null ? null : { ...(await parts.session.issueToken(caller)), serverTime: now },
      rights: [...rights],
      rightLabels: await labelsOfRights(database.read, rights),
      flags: { ...flags, ...Object.fromEntries(localFlags.map((key) => [key, true])) },
      maintenance: { ...parts.maintenance.now(), serverTime: now },
      branding: { product, css },
      provider: config.oidc === null ? null : (config.oidc.label ?? new URL(config.oidc.issuer).host),
      reports: caller !== null || config.feedbackWithoutSignIn,
      eventId,
      language: languageOf(request),
      release: version,
    };
  }

  return { routes: (serve: Serve) => serve(getEmbed, ({ request }) => answer(request)) };
}
