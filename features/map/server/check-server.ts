import type { checkMapServer, MapServerOutcome } from '#features/map/contract/manage.ts';
import type { AnswerOf } from '#contract/route.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import { NoAnswer, type MapIdentity } from './request-map-server.ts';
import { OgcException, type ListedLayer, type OgcService } from './capabilities/read-capabilities.ts';
import { identityOf, WrongStatus, type MapServer } from './map-server.ts';

type Checked = AnswerOf<typeof checkMapServer>;
export type CheckMapServer = (caller: Caller) => Promise<Checked>;

const timeoutMs = 30_000;
const longestMessage = 500;

/**
 * The map server's answers to an operator and to a member: capabilities, or the reason why there are none.
 */
export function createCheckServer(options: {
  server: MapServer | null;
  rolesOf(caller: Caller): Promise<readonly string[]>;
  nameOf(caller: Caller): Promise<string>;
  /** How many of the listed layers the guard lets through; a null caller stands for a member. */
  visible(layers: readonly ListedLayer[], caller: Caller | null): Promise<number>;
}): CheckMapServer {
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
