import type { IncomingMessage, ServerResponse } from 'node:http';
import { mapServerPath } from '#features/map/contract/map.ts';
import { builtInRoles } from '#features/permissions/contract/permissions.ts';
import type { Core } from '#server/core.ts';
import { createReadThroughCache } from '#server/platform/database/read-through-cache.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import { createAdmission, type AdmissionParts } from '#features/gateway/server/admission.ts';
import type { Answers } from '#features/gateway/server/answers.ts';
import { createGuard } from './guard.ts';
import { createLayerCatalogue, type Catalogue } from './layer-catalogue.ts';
import { createLayerRights, type LayerRights, type LayerRules } from './layer-rights.ts';
import { createMapServer, identityOf, WrongStatus, type MapServer } from './map-server.ts';
import { readRules } from './map.store.ts';
import type { checkMapServer, MapServerOutcome } from '#features/map/contract/manage.ts';
import type { AnswerOf } from '#contract/route.ts';
import { NoAnswer, type MapIdentity } from './request-map-server.ts';
import { OgcException, type ListedLayer, type OgcService } from './capabilities/read-capabilities.ts';

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

type Checked = AnswerOf<typeof checkMapServer>;

const timeoutMs = 30_000;
const longestMessage = 500;

/**
 * The map server's answers to an operator and to a member: capabilities, or the reason why there are none.
 */
function createCheckServer(options: {
  server: MapServer | null;
  rolesOf(caller: Caller): Promise<readonly string[]>;
  nameOf(caller: Caller): Promise<string>;
  /** How many of the listed layers the guard lets through; a null caller stands for a member. */
  visible(layers: readonly ListedLayer[], caller: Caller | null): Promise<number>;
}): (caller: Caller) => Promise<Checked> {
  const { server } = options;
  if (server === null) return () => Promise.resolve({ address: null, services: [] });

  async function outcome(service: OgcService, identity: MapIdentity, caller: Caller | null) {
    const began = performance.now();
    const took = (): number => Math.round(performance.now() - began);
    try {
      const { title, layers } = await (server as MapServer).capabilities(service, identity, timeoutMs);
      const visible = await options.visible(layers, caller);
      return {
        outcome: 'ok',
        status: 200,
        took: took(),
        message: title,
        listed: layers.length,
        visible,
      } as const;
    } catch (error) {
      return { ...refusalFrom(error), took: took(), listed: 0, visible: 0 };
    }
  }

  return async (caller) => {
    const you = identityOf(await options.nameOf(caller), await options.rolesOf(caller));
    const member = identityOf('member', ['member']);
    const services: Checked['services'] = [];
    for (const service of ['wms', 'wfs', 'wmts'] as const) {
      const [toYou, toMember] = await Promise.all([
        outcome(service, you, caller),
        outcome(service, member, null),
      ]);
      services.push({ service, you: toYou, member: toMember });
    }
    const { origin, pathname } = server.address.url;
    return { address: `${origin}${pathname}`, services };
  };
}

function refusalFrom(error: unknown): Pick<MapServerOutcome, 'outcome' | 'status' | 'message'> {
  if (error instanceof NoAnswer) return { outcome: error.is, status: null, message: '' };
  if (error instanceof WrongStatus)
    return {
      outcome: error.status === 401 || error.status === 403 ? 'refused' : 'error',
      status: error.status,
      message: '',
    };
  if (error instanceof OgcException)
    return {
      outcome: 'exception',
      status: null,
      message: `${error.code} ${error.message}`.trim().slice(0, longestMessage),
    };
  return { outcome: 'unreadable', status: null, message: '' };
}
