import type { IncomingMessage, ServerResponse } from 'node:http';
import { mapServerPath } from '#features/map/contract/map.ts';
import { builtInRoles } from '#features/permissions/contract/permissions.ts';
import type { Core } from '#server/core.ts';
import { createReadThroughCache } from '#server/platform/database/read-through-cache.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import { createAdmission, type AdmissionParts } from '#features/gateway/server/admission.ts';
import type { Answers } from '#features/gateway/server/answers.ts';
import { createCheckServer } from './check-server.ts';
import { createGuard } from './guard.ts';
import { createLayerCatalogue, type Catalogue } from './layer-catalogue.ts';
import { createLayerRights, type LayerRights, type LayerRules } from './layer-rights.ts';
import { createMapServer } from './map-server.ts';
import { readRules } from './map.store.ts';

export type MapParts = AdmissionParts & {
  session: { rememberedMaps: AdmissionParts['session']['remembered'] };
  gateway: Answers;
};

/** The map server behind Portico (MAP-2): its guard, its layers, and what operators decide. */
export function createMap(core: Core, parts: MapParts) {
  const { config, database, feed, clock, logger } = core;
  const { permissions, session } = parts;
  // By the map cookie.
  const { admit } = createAdmission(core, {
    ...parts,
    session: { ...session, remembered: session.rememberedMaps },
  });
  const server = config.geoserver === null ? null : createMapServer(config.geoserver);
  const catalogue = server === null ? null : createLayerCatalogue({ server, clock, logger });
  const rules = createReadThroughCache<LayerRules>({ max: 1, read: () => readRules(database.read) });
  feed.on('map', () => rules.dropAll());

  const decideRights = rememberLast(createLayerRights);
  function withRules(known: Catalogue | null): LayerRights | null | Promise<LayerRights | null> {
    if (known === null) return null;
    const decided = rules.get('');
    if (decided instanceof Promise)
      return decided.then((found) => (found === null ? null : decideRights(known.layers, found)));
    return decideRights(known.layers, decided);
  }
  function layerRights(): LayerRights | null | Promise<LayerRights | null> {
    const known = catalogue?.get() ?? null;
    return known instanceof Promise ? known.then(withRules) : withRules(known);
  }

  const rolesOf = async ({ id, kind }: Caller): Promise<readonly string[]> =>
    kind === 'token' ? [] : ((await permissions.rolesAndRights(id))?.roles ?? []);
  const check = createCheckServer({
    server,
    rolesOf,
    async nameOf({ id, kind }) {
      const email = kind === 'token' ? '' : ((await parts.directory.accountState(id))?.email ?? '');
      return /^[\x21-\x7e]+$/.test(email) ? email : id;
    },
    async visible(layers, caller) {
      // Uses the layers of all services: a layer that one service lists under another name needs the same rights.
      const rights = (await layerRights()) ?? createLayerRights(layers, await readRules(database.read));
      const holds =
        caller === null ? new Set<string>(builtInRoles.member) : await permissions.rightsOf(caller);
      return layers.filter(({ name }) => rights.visible(name, null, holds) === 'whole').length;
    },
  });

  const guard =
    server === null
      ? null
      : createGuard({
          config,
          hosts: core.hosts,
          watchBody: core.watchBody,
          logger,
          clock,
          server,
          admit,
          permissions,
          layerRights,
          layerRightsAgain: async () => withRules((await catalogue?.again()) ?? null),
          answers: parts.gateway,
          securityHeaders: core.securityHeaders,
          documents: core.rateLimit({ burst: 60, perSecond: 1 }),
        });

  /** Answers requests below `/geoserver` before the framework, whose work would cost more than the guard's. */
  function handle(request: IncomingMessage, response: ServerResponse): boolean {
    const { url = '' } = request;
    if (!url.startsWith(mapServerPath) || guard === null) return false;
    const below = url.slice(mapServerPath.length);
    if (!below.startsWith('/')) return false;
    guard.handle(request, response, below);
    return true;
  }

  return {
    catalogue,
    layerRights,
    check,
    guard: handle,
    close() {
      catalogue?.close();
      server?.close();
    },
  };
}

/** Caches the last result, for as long as both arguments are the same. */
function rememberLast<A, B, R>(make: (one: A, other: B) => R): (one: A, other: B) => R {
  let last: { one: A; other: B; result: R } | null = null;
  return (one, other) => {
    if (last === null || last.one !== one || last.other !== other)
      last = { one, other, result: make(one, other) };
    return last.result;
  };
}
