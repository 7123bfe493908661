import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Core } from '#server/core.ts';
import { plainGuard } from '#server/platform/http/paths.ts';
import type { Config } from '#server/config.ts';
import { newId } from '#server/platform/keys/ids.ts';
import type { RateLimit } from '#server/platform/http/rate-limit.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import { isStorageFailure } from '#server/platform/database/storage-failure.ts';
import type { Admission, Admit, GatewayRequest } from '#features/gateway/server/admission.ts';
import type { Answers, AnsweredRequest } from '#features/gateway/server/answers.ts';
import { forward } from '#features/gateway/server/forward.ts';
import { createReadSender, type Sender } from '#features/gateway/server/forwarded.ts';
import type { RightsInMemory, RolesAndRights } from '#features/permissions/server/effective-rights.ts';
import { createCaching } from './caching.ts';
import type { OgcService } from './capabilities/read-capabilities.ts';
import type { LayerRights } from './layer-rights.ts';
import { readMapPath, type MapPath } from './map-paths.ts';
import { BodyNotReceived, receiveBytes } from '#server/platform/http/receive-bytes.ts';
import {
  isDimensionValue,
  longestForm,
  readApiParameters,
  readMapRequest,
  readParameters,
  readTileParameters,
  writeParameters,
} from './map-query.ts';
import type { MapIdentity } from './request-map-server.ts';
import { createAddressOf, identityOf, type MapServer, targetOf } from './map-server.ts';
import { relayMapAnswer, type Broken, type Expected } from './relay.ts';

export type GuardParts = Pick<Core, 'hosts' | 'logger' | 'clock' | 'watchBody'> & {
  config: Pick<Config, 'origin' | 'publicUrl' | 'trustProxy'>;
  server: MapServer;
  /** By the map cookie. */
  admit: Admit;
  permissions: Pick<RightsInMemory, 'rolesAndRights'>;
  /** The rights that each layer needs; null while the map server has not listed its layers. */
  layerRights(): LayerRights | null | Promise<LayerRights | null>;
  /** As `layerRights`, after the map server was asked again: it may have a new layer. */
  layerRightsAgain(): Promise<LayerRights | null>;
  answers: Answers;
  securityHeaders: Readonly<Record<string, string>>;
  /** Limits capabilities by person: each document has up to some million characters. */
  documents: RateLimit;
};

/** The request that is sent on, once it is known to be allowed. */
type Allowed = {
  path: string;
  parameters: readonly [string, string][];
  /** Parameters that may be dimensions of the layers; those that are dimensions are sent on. */
  dimensions: readonly [string, string][];
  /** The layers that the request is about. */
  names: readonly string[];
  workspace: string | null;
  asks: Expected['asks'];
  service: OgcService;
};

type Arrived = AnsweredRequest & { sender: Sender; asks: GatewayRequest; below: string };
type Passed = Admission & { is: 'passed' };
type Visitor = { passed: Passed; holds: ReadonlySet<string>; roles: readonly string[] };

const failureCodes = {
  down: 'MAP_SERVER_DOWN',
  slow: 'MAP_SERVER_SLOW',
  malformed: 'MAP_SERVER_FAILED',
} as const;
/** The audience of the assertion that the map server receives. */
const mapAudience = 'map-server';
const mapGuard = { ...plainGuard, right: 'MAP_VIEW' } as const;
const timeoutMs = 60_000;
/** An application at another host must not gain its people's rights to layers. */
const onlyAtOwnHost = 'The map is at Portico’s own address, not in the pages of an application.';

/**
 * Checks requests to the map server (MAP-2) in this order: method, other sites, the map cookie, maintenance and
 * the right to the map; then path and parameters, which are read once and rewritten; then the right of each
 * layer that they name. All these facts are in memory for a person who requested a tile some seconds ago.
 */
export function createGuard(parts: GuardParts) {
  const { config, logger, server, answers } = parts;
  const { origin } = new URL(config.origin);
  const readSender = createReadSender(config.trustProxy, new URL(config.origin).protocol.slice(0, -1));
  const guardAddress = `${config.publicUrl}/geoserver`;
  const headers = {
    ...parts.securityHeaders,
    // An answer of the map server must never run as a page of Portico's own.
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  };

  /** @param below the path and query below `/geoserver` */
  function handle(request: IncomingMessage, response: ServerResponse, below: string): void {
    const { method = 'GET', headers: sent } = request;
    const sender = readSender(request);
    const isForm = method === 'POST';
    const asks: GatewayRequest = {
      // A POST form has the parameters of an address and changes nothing, so it counts as GET.
      method: isForm ? 'GET' : method,
      path: request.url ?? '',
      host: sent.host ?? '',
      headers: sent,
      ip: sender.ip,
      kind: 'call',
    };
    const arrived: Arrived = { request, response, kind: 'call', sender, asks, below };
    if (method !== 'GET' && method !== 'HEAD' && !isForm) {
      response.setHeader('allow', 'GET, HEAD, POST');
      answers.refuse(arrived, { code: 'METHOD_NOT_ALLOWED' }, 'The map is read only: GET, HEAD and POST.');
    } else if (isForm && !/^application\/x-www-form-urlencoded(?:\s*;|$)/i.test(sent['content-type'] ?? '')) {
      answers.refuse(
        arrived,
        { code: 'UNSUPPORTED_MEDIA_TYPE' },
        'Send the parameters of the address as application/x-www-form-urlencoded.',
      );
    } else if (!isForm && hasBody(sent)) {
      answers.refuse(arrived, { code: 'INVALID_REQUEST' }, 'A request for the map has no body.');
    } else if (isOfOtherSite(sent)) answers.refuse(arrived, { code: 'CROSS_SITE' });
    else if (parts.hosts.otherOfRequest(request) !== null)
      answers.refuse(arrived, { code: 'RIGHT_MISSING' }, onlyAtOwnHost);
    else attempt(arrived, () => admitted(arrived));
  }

  /** Pages of other sites may not show the map, nor learn from it what a person may see. */
  function isOfOtherSite(sent: IncomingMessage['headers']): boolean {
    const site = sent['sec-fetch-site'];
    if (site !== undefined) return site !== 'same-origin' && site !== 'none';
    return sent.origin !== undefined && sent.origin !== origin;
  }

  /** Runs work that may have to wait, and answers with its failure. */
  function attempt(arrived: Arrived, work: () => void | Promise<void>): void {
    const failed = (error: unknown): void => {
      if (error instanceof HttpProblem) {
        const { retryAfter } = error.details;
        answers.refuse(
          arrived,
          { code: error.code, ...(retryAfter === undefined ? {} : { retryAfter }) },
          error.details.detail,
        );
        return;
      }
      logger.error({ err: error }, 'a request to the map server failed');
      answers.refuse(
        arrived,
        isStorageFailure(error) ? { code: 'UNAVAILABLE', retryAfter: 5 } : { code: 'INTERNAL' },
      );
    };
    try {
      const done = work();
      if (done instanceof Promise) done.catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  function admitted(arrived: Arrived): void | Promise<void> {
    const admission = parts.admit(arrived.asks, { audience: mapAudience }, mapGuard);
    if (admission instanceof Promise) return admission.then((decided) => decide(arrived, decided));
    return decide(arrived, admission);
  }

  function decide(arrived: Arrived, admission: Admission): void | Promise<void> {
    if (arrived.response.destroyed) return;
    if (admission.is === 'refused') {
      answers.refuse(arrived, admission);
      return;
    }
    const id = admission.is === 'passed' ? admission.caller?.id : undefined;
    if (admission.is !== 'passed' || id === undefined) {
      answers.refuse(arrived, { code: 'UNAUTHENTICATED' });
      return;
    }
    const held = parts.permissions.rolesAndRights(id);
    const go = (found: RolesAndRights | null): void | Promise<void> => {
      if (found === null) return answers.refuse(arrived, { code: 'UNAUTHENTICATED' });
      const visitor = { passed: admission, holds: found.held.set, roles: found.roles };
      if (arrived.request.method !== 'POST') return check(arrived, visitor, null);
      parts.watchBody(arrived.request, arrived.asks.ip);
      return receiveForm(arrived.request).then((form) => check(arrived, visitor, form));
    };
    return held instanceof Promise ? held.then(go) : go(held);
  }

  function check(arrived: Arrived, visitor: Visitor, form: string | null): void | Promise<void> {
    const allowed = read(arrived.below, server.address.single, form);
    if ('problem' in allowed) {
      if (allowed.problem === 'METHOD_NOT_ALLOWED') arrived.response.setHeader('allow', 'GET, HEAD');
      answers.refuse(arrived, { code: allowed.problem }, allowed.detail);
      return;
    }
    if (isDocument(allowed)) parts.documents.take(visitor.passed.caller?.id ?? '');
    const rights = parts.layerRights();
    if (rights instanceof Promise)
      return rights.then((found) => checkLayers(arrived, visitor, allowed, found));
    return checkLayers(arrived, visitor, allowed, rights);
  }

  function checkLayers(
    arrived: Arrived,
    visitor: Visitor,
    allowed: Allowed,
    rights: LayerRights | null,
    isLast = false,
  ): void | Promise<void> {
    if (rights === null) {
      answers.refuse(
        arrived,
        { code: 'MAP_SERVER_DOWN', retryAfter: 10 },
        'The map server does not list its layers.',
      );
      return;
    }
    const needed = rightsOf(allowed, rights);
    if (typeof needed === 'string') {
      if (!isLast)
        return parts
          .layerRightsAgain()
          .then((found) => checkLayers(arrived, visitor, allowed, found ?? rights, true));
      answers.refuse(arrived, { code: 'NOT_FOUND' }, needed);
      return;
    }
    for (const right of needed) {
      if (visitor.holds.has(right)) continue;
      answers.refuse(arrived, { code: 'RIGHT_MISSING', right });
      return;
    }
    const dimensions = dimensionsOf(allowed, rights);
    if ('refused' in dimensions) answers.refuse(arrived, { code: 'INVALID_REQUEST' }, dimensions.refused);
    else send(arrived, visitor, { ...allowed, ...dimensions }, rights);
  }

  function send(arrived: Arrived, visitor: Visitor, allowed: Allowed, rights: LayerRights): void {
    const { request, response } = arrived;
    if (response.destroyed) return;
    const identity = identityFor(visitor);
    const caching = createCaching(request.headers, identity, parts.clock.now());
    // Documents are made for each person, and have no ETags.
    if (caching.fresh !== null && !isDocument(allowed)) {
      response.writeHead(304, { ...headers, ...caching.fresh }).end();
      return;
    }
    const expected: Expected = {
      asks: allowed.asks,
      headers,
      caching,
      lists: (name) => rights.visible(name, allowed.workspace, visitor.holds) === 'whole',
      filter: allowed.asks === 'capabilities' ? filterFor(visitor, allowed, rights) : null,
    };
    if (isDocument(allowed) && request.method === 'HEAD') {
      const type = allowed.asks === 'capabilities' ? 'text/xml; charset=utf-8' : 'application/json';
      response
        .writeHead(200, { ...headers, 'content-type': type, 'cache-control': 'private, no-cache' })
        .end();
      return;
    }
    const query = writeParameters(allowed.parameters);
    const isForm = request.method === 'POST';
    forward({
      request,
      response,
      connections: server.connections,
      target: targetOf(server.address, allowed.path, isForm ? '' : query),
      body: isForm ? Buffer.from(query) : undefined,
      headers: [
        ...headersFor(arrived, visitor, allowed),
        ...(isForm
          ? ['Content-Type', 'application/x-www-form-urlencoded', 'Content-Length', String(query.length)]
          : []),
        ...(isDocument(allowed) ? [] : caching.validators.flat()),
        ...identity.flat(),
      ],
      addresses: { upstream: server.address.url, publicOrigin: origin, prefix: '', publicFolders: [] },
      timeoutMs,
      relay: (answer) =>
        relayMapAnswer(answer, response, expected, (why) => answerBroken(arrived, visitor, why)),
      onFailure({ is, error }) {
        logger.warn({ requestId: newId(), err: error }, 'the map server gave no answer');
        answers.refuse(arrived, {
          code: failureCodes[is],
          retryAfter: 10,
        });
      },
    });
  }

  function filterFor({ holds }: Visitor, { service, workspace }: Allowed, rights: LayerRights) {
    return {
      service,
      visible: (name: string) => rights.visible(name, workspace, holds),
      address: createAddressOf(server.address, guardAddress, `/${service}`),
    };
  }

  /** Only the headers that a map server needs: no cookies, and no `sec-…` that the browser sends. */
  function headersFor({ request, sender }: Arrived, { passed }: Visitor, allowed: Allowed): string[] {
    const sent = ['Host', server.address.url.host];
    const copy = (name: string): void => {
      const value = request.headers[name];
      if (typeof value === 'string') sent.push(name, value);
    };
    copy('accept');
    copy('accept-language');
    // Answers that are read on their way must not be compressed: an XML exception is found by its first element.
    if (allowed.asks === 'picture') copy('accept-encoding');
    sent.push('X-Forwarded-For', sender.ip);
    const assertion = new Map(passed.headers).get('Portico-Assertion');
    if (assertion !== undefined) sent.push('Portico-Assertion', assertion);
    return sent;
  }

  /** Operators get the map server's own words, which may name its files and tables; others get only its code. */
  function answerBroken(arrived: Arrived, { holds }: Visitor, { status, code, detail }: Broken): void {
    const { method, path, ip } = arrived.asks;
    logger.warn(
      { requestId: newId(), req: { method, url: path, ip }, status, code, detail: detail.slice(0, 500) },
      'the map server answered with an error',
    );
    const known = /^[A-Za-z]{1,60}$/.test(code) ? `The map server refuses: ${code}.` : undefined;
    const words = holds.has('MAP_WRITE') ? [known, detail.slice(0, 500)].filter(Boolean).join(' ') : known;
    answers.refuse(arrived, { code: 'MAP_SERVER_FAILED' }, words);
  }

  return { handle };
}

/** The rights that a request needs, or why the map server has no such layer or workspace. */
function rightsOf({ names, workspace }: Allowed, rights: LayerRights): ReadonlySet<string> | string {
  if (workspace !== null && !rights.hasWorkspace(workspace)) return 'The map server has no such workspace.';
  const needed = new Set<string>();
  for (const name of names) {
    const found = rights.rightsFor(name, workspace);
    if (found === null) return 'The map server lists no such layer.';
    for (const right of found) needed.add(right);
  }
  return needed;
}

/** The parameters with the dimensions that the map server declares for these layers, or why they are refused. */
function dimensionsOf(
  { names, workspace, service, parameters, dimensions }: Allowed,
  rights: LayerRights,
): { parameters: [string, string][] } | { refused: string } {
  const sent = [...parameters];
  for (const [parameter, value] of dimensions) {
    const name = service === 'wms' ? parameter.slice('DIM_'.length) : parameter;
    const declared = rights.dimensionOf(name, names, workspace);
    if (declared === null) {
      // In WMTS any other parameter, such as a counter, looks like a dimension.
      if (service !== 'wms' && rights.dimensionOf(name) === null) continue;
      return { refused: `The layers have no dimension ${name}.` };
    }
    if (!isDimensionValue(value)) return { refused: `The parameter ${parameter} is not as it should be.` };
    sent.push([service === 'wms' ? parameter : declared, value]);
  }
  return { parameters: sent };
}

/** The body of a POST. Throws TOO_LARGE, and INVALID_REQUEST where it breaks off. */
async function receiveForm(request: IncomingMessage): Promise<string> {
  const options = { most: longestForm, steps: [], announced: request.headers['content-length'] };
  const bytes = await receiveBytes(request, options).catch((error: unknown) => {
    if (!(error instanceof BodyNotReceived)) throw error;
    throw new HttpProblem(error.reason === 'too large' ? 'TOO_LARGE' : 'INVALID_REQUEST');
  });
  return bytes.toString();
}

/** The headers that identify the caller to the map server. */
function identityFor({ passed, roles }: Visitor): MapIdentity {
  const email = new Map(passed.headers).get('X-Portico-Email');
  return identityOf(email || passed.caller?.id || '', roles);
}

/** Whether a request has a body: sent on without its length, it would count as the next request, of anyone. */
function hasBody(sent: IncomingMessage['headers']): boolean {
  return sent['transfer-encoding'] !== undefined || (sent['content-length'] ?? '0') !== '0';
}

type Refusal = { problem: 'NOT_FOUND' | 'INVALID_REQUEST' | 'METHOD_NOT_ALLOWED'; detail: string };

function isDocument({ asks }: Allowed): boolean {
  return asks === 'capabilities' || asks === 'collections';
}

/** The request of a path and its query, rewritten, or why it is refused. */
function read(below: string, single: boolean, form: string | null): Allowed | Refusal {
  const mark = below.indexOf('?');
  const path = readMapPath(mark < 0 ? below : below.slice(0, mark));
  if (path === null || (single && !isPlainService(path)))
    return { problem: 'NOT_FOUND', detail: 'The map has no such address.' };
  if (form !== null && path.is !== 'service')
    return { problem: 'METHOD_NOT_ALLOWED', detail: 'Forms are for WMS, WFS and WMTS.' };
  const parameters = readParameters(mark < 0 ? '' : below.slice(mark + 1), form ?? '');
  if ('refused' in parameters) return refused(parameters.refused);
  if (path.is === 'service') {
    const asked = readMapRequest(parameters, path.service);
    if ('refused' in asked) return refused(asked.refused);
    return {
      path: path.path,
      parameters: asked.parameters,
      dimensions: asked.dimensions,
      names: path.layer === null ? asked.names : [path.layer, ...asked.names],
      workspace: path.workspace,
      asks: asked.asks,
      service: asked.service,
    };
  }
  const found =
    path.is === 'tile' ? readTileParameters(parameters) : readApiParameters(parameters, path.asks !== 'tile');
  if ('refused' in found) return refused(found.refused);
  return {
    path: path.path,
    parameters: found.parameters,
    dimensions: path.is === 'tile' ? found.dimensions : [],
    names: path.layer === null ? [] : [path.layer],
    workspace: path.workspace,
    asks: path.is === 'tile' ? path.asks : answersOfApi[path.asks],
    service: path.is === 'tile' ? 'wmts' : 'wms',
  };
}

const answersOfApi = {
  collections: 'collections',
  collection: 'description',
  description: 'description',
  items: 'features',
  tile: 'picture',
} as const;

/** Whether a path fits a server with one address for all services, which has no workspaces and paths. */
function isPlainService(path: MapPath): boolean {
  return path.is === 'service' && path.workspace === null && !path.path.startsWith('/gwc');
}

function refused(detail: string): Refusal {
  return { problem: 'INVALID_REQUEST', detail };
}
