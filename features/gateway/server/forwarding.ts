import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setUpPage, signInFailedPage } from '#contract/pages.ts';
import type { PathRule, Upstream } from '#server/config-upstreams.ts';
import type { Config } from '#server/config.ts';
import { folderOf } from '#server/platform/http/paths.ts';
import { newId } from '#server/platform/keys/ids.ts';
import { createRequestLogger, type Logger } from '#server/platform/log/logger.ts';
import type { Metrics } from '#server/platform/metrics/metrics.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import type { Admission, GatewayRequest } from './admission.ts';
import { underOwnNames, type IdentityHeaders } from './assertion.ts';
import { isForm, signInPath, type Answers, type AnsweredRequest } from './answers.ts';
import { forward, type UpstreamFailure } from './forward.ts';
import { createReadSender, type Sender } from './forwarded.ts';
import { forwardUpgrade, responseOn } from './forward-upgrade.ts';
import { createRuleOf, headersForUpstream, type RuleOf } from './header-rules.ts';
import type { OpenStreams } from './open-streams.ts';
import { isPreflight, kindOf, type RequestKind } from './request-kind.ts';
import { withheldHeaders } from './token-credential.ts';
import { createUpstreamConnections, type Client, type UpstreamConnections } from './upstream-connections.ts';
import type { PublicAddresses } from './public-addresses.ts';
import { createFindUpstream, otherRules, reachesOtherRules, type Destination } from './upstreams.ts';

export type ForwardingParts = {
  config: Pick<Config, 'origin' | 'basePath' | 'upstreams' | 'trustProxy'>;
  logger: Logger;
  metrics: Pick<Metrics, 'counter'>;
  admission: {
    admit(
      request: GatewayRequest,
      upstream: Upstream,
      rule: Destination['rule'],
    ): Admission | Promise<Admission>;
    mayGoOn(request: GatewayRequest, upstream: Upstream, rule: Destination['rule']): Promise<boolean>;
  };
  answers: Answers;
  streams: OpenStreams;
  watchBody(request: IncomingMessage, address: string): void;
  /** True until there is a first operator (START-6). */
  setUpIsOpen(): Promise<boolean>;
};

/**
 * Requests that take longer than this are tracked: they may stay open for hours, and are cut off when the session
 * ends or a right is taken away. Shorter ones end by themselves.
 */
const longMs = 5_000;

/** A request with its application and its sender. */
type Arrived = AnsweredRequest & MadeOnce & { to: Destination; sender: Sender; asks: GatewayRequest };
/** For each application. */
type MadeOnce = Pick<PublicAddresses, 'prefix' | 'publicFolders'> & {
  connections: UpstreamConnections;
  ruleOf: RuleOf;
};

/**
 * Forwards requests to the applications behind Portico: finds the application, asks for admission, adds the
 * caller's identity, or answers a refusal. It runs outside the framework, whose overhead for each request
 * would exceed all of this.
 */
export function createForwarding(parts: ForwardingParts) {
  const { admission, answers, config, logger, streams } = parts;
  const { upstreams, basePath } = config;
  const find = createFindUpstream(upstreams);
  const readSender = createReadSender(config.trustProxy, new URL(config.origin).protocol.slice(0, -1));
  const ownNames = upstreams.flatMap(({ identityHeaders }) => Object.keys(identityHeaders));
  const made = new Map<Upstream, MadeOnce>(
    upstreams.map((upstream) => [
      upstream,
      {
        connections: createUpstreamConnections(upstream),
        ruleOf: createRuleOf(upstream, ownNames),
        prefix: upstream.stripPath ? folderOf(upstream.path) : '',
        publicFolders: [basePath, ...foldersOf(upstreams, upstream)].filter((folder) => folder !== ''),
      },
    ]),
  );
  const requests = createRequestLogger(logger);
  const ofApplication = { label: 'application', values: upstreams.map(({ name }) => name) };
  const countRequest = parts.metrics.counter({
    ...ofApplication,
    name: 'portico_gateway_requests_total',
    help: 'Requests for an application that came to the gateway, those that it refuses included.',
  });
  const countFailure = parts.metrics.counter({
    ...ofApplication,
    name: 'portico_gateway_failures_total',
    help: 'Requests that an application gave no valid answer to.',
  });

  /** Null where the request goes to no application; its answer is already written then. */
  function arrive(request: IncomingMessage, response: ServerResponse, kind: RequestKind): Arrived | null {
    const { url = '', method = 'GET', headers } = request;
    const sender = readSender(request);
    const to = find(url, sender.host);
    const asked = { request, response, kind };
    const isRead = method === 'GET' || method === 'HEAD';
    if (
      'refused' in to &&
      to.refused === 'unknown' &&
      isRead &&
      kind !== 'websocket' &&
      /^\/(?:\?|$)/.test(url)
    ) {
      answers.redirect(response, `${basePath}/`);
      return null;
    }
    if ('refused' in to) {
      const code = to.refused === 'unknown' ? 'NOT_FOUND' : 'INVALID_REQUEST';
      answers.refuse(asked, { code }, to.detail);
      return null;
    }
    countRequest(to.upstream.name);
    // An application that answers TRACE shows the sender what Portico adds to a request (RFC 9110, 9.3.8).
    if (method === 'TRACE') {
      answers.refuse(asked, { code: 'METHOD_NOT_ALLOWED' }, 'TRACE is not forwarded.');
      return null;
    }
    const coding = headers['transfer-encoding'];
    if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
      answers.refuse(asked, { code: 'INVALID_REQUEST' }, 'The one transfer coding is chunked.');
      return null;
    }
    if (reachesOtherRules(find, to, headers['destination'], sender.host)) {
      answers.refuse({ ...asked, guard: to.rule }, { code: 'INVALID_REQUEST' }, otherRules);
      return null;
    }
    // Adds the slash: relative addresses on the page are below this folder.
    const [asPath = ''] = to.target.split('?', 1);
    if (to.sent !== to.target && asPath === folderOf(to.upstream.path) && isRead && kind === 'navigation') {
      answers.redirect(response, `${asPath}/${to.target.slice(asPath.length)}`);
      return null;
    }
    const asks = { method, path: to.target, host: sender.host, headers, ip: sender.ip, kind };
    return { ...asked, guard: to.rule, to, sender, asks, ...(made.get(to.upstream) as MadeOnce) };
  }

  function admit(arrived: Arrived, passed: (admission: Admission & { is: 'passed' }) => void): void {
    const { asks, to, response } = arrived;
    const decide = (decided: Admission): void => {
      if (response.destroyed) return;
      if (decided.is === 'passed') passed(decided);
      else if (decided.is === 'sign-in') void signIn(arrived);
      else if (decided.code === 'PERSON_BLOCKED' && arrived.kind === 'navigation')
        answers.redirect(response, `${basePath}${signInFailedPage.path}?reason=blocked`);
      else answers.refuse(arrived, decided);
    };
    const failed = (error: unknown): void => {
      logger.error({ err: error }, 'the admission of a request failed');
      answers.refuse(arrived, { code: 'INTERNAL' });
    };
    try {
      const decided = admission.admit(asks, to.upstream, to.rule);
      if (decided instanceof Promise) decided.then(decide).catch(failed);
      else decide(decided);
    } catch (error) {
      failed(error);
    }
  }

  /** Redirects to the sign-in and back to the same address; before there is an operator, to the set-up. */
  async function signIn(arrived: Arrived): Promise<void> {
    const isNew = await parts.setUpIsOpen().catch(() => false);
    const next = `${basePath}${isNew ? setUpPage.path : signInPath(arrived, arrived.asks, arrived.sender.origin)}`;
    if (isForm(arrived) && !isNew) answers.askToSignIn(arrived, next);
    else answers.redirect(arrived.response, next);
  }

  const headersTo = (
    { request, to, sender, asks, ruleOf, prefix }: Arrived,
    identity: IdentityHeaders,
    extra: readonly string[] = [],
  ): string[] =>
    headersForUpstream({
      raw: request.rawHeaders,
      method: request.method ?? 'GET',
      host: to.upstream.keepHost ? null : to.upstream.url.host,
      connection: request.headers.connection,
      chunked: request.headers['transfer-encoding'] !== undefined,
      withheld: withheldFrom(asks, to.rule),
      forwarded: [
        ...sender.forwarded,
        ...(prefix === '' ? [] : ['X-Forwarded-Prefix', prefix, 'X-Script-Name', prefix]),
        ...extra,
      ],
      identity: [...identity, ...underOwnNames(identity, to.upstream).filter(([, value]) => value !== '')],
      ruleOf,
    });

  const addressesOf = ({ to, sender, prefix, publicFolders }: Arrived): PublicAddresses => ({
    upstream: to.upstream.url,
    publicOrigin: sender.origin,
    prefix,
    publicFolders,
  });

  function failureOf(arrived: Arrived, { is, error, detail }: UpstreamFailure): void {
    const { asks, to } = arrived;
    const requestId = newId();
    const req = { method: asks.method, url: asks.path, ip: asks.ip };
    countFailure(to.upstream.name);
    logger.warn(
      { requestId, err: error, req, application: to.upstream.name },
      is === 'malformed' ? 'the answer of an application is malformed' : 'an application gave no answer',
    );
    answers.refuse(arrived, { code: failureCodes[is] }, detail);
  }

  function follow(arrived: Arrived, caller: (Admission & { is: 'passed' })['caller'], end: () => void) {
    const { asks, to } = arrived;
    return streams.add({ caller, mayGoOn: () => admission.mayGoOn(asks, to.upstream, to.rule), end });
  }

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const began = performance.now();
    const arrived = arrive(request, response, kindOf(request.headers));
    if (arrived === null) return;
    if (requests.isLevelEnabled('debug')) logWhenDone(arrived, began);
    admit(arrived, ({ headers, caller }) => {
      const { to, connections, ruleOf, asks } = arrived;
      if (caller === null) parts.watchBody(request, asks.ip);
      let forget: (() => void) | null = null;
      const followNow = (): void => {
        clearTimeout(timer);
        forget ??= follow(arrived, caller, () => response.destroy());
      };
      const timer = setTimeout(followNow, longMs);
      response.once('close', () => {
        clearTimeout(timer);
        forget?.();
      });
      forward({
        request,
        response,
        connections,
        client: clientOf(request, caller),
        target: to.sent,
        headers: headersTo(arrived, headers),
        ruleOf,
        addresses: addressesOf(arrived),
        timeoutMs: to.upstream.timeoutMs,
        onAnswer(answer) {
          if (isStream(answer)) followNow();
        },
        onFailure: (failure) => failureOf(arrived, failure),
      });
    });
  }

  function upgrade(request: IncomingMessage, duplex: Duplex, head: Buffer): void {
    // Node's own server gives sockets.
    const socket = duplex as Socket;
    socket.on('error', () => socket.destroy());
    const response = responseOn(request, socket);
    const arrived = arrive(request, response, 'websocket');
    if (arrived === null) return;
    admit(arrived, ({ headers, caller }) => {
      const { to, connections } = arrived;
      response.detachSocket(socket);
      const protocols = ['Connection', 'Upgrade', 'Upgrade', 'websocket'];
      forwardUpgrade({
        request,
        socket,
        head,
        connections,
        client: clientOf(request, caller),
        target: to.sent,
        headers: headersTo(arrived, headers, protocols),
        addresses: addressesOf(arrived),
        timeoutMs: to.upstream.timeoutMs,
        onOpen() {
          const forget = follow(arrived, caller, () => socket.destroy());
          socket.once('close', forget);
        },
        onFailure: (failure) => failureOf({ ...arrived, response: responseOn(request, socket) }, failure),
      });
    });
  }

  function logWhenDone({ asks: { method, path, ip }, response }: Arrived, began: number): void {
    response.once('close', () => {
      const ms = Math.round((performance.now() - began) * 10) / 10;
      const req = { method, url: path, ip };
      requests.debug({ requestId: newId(), req, res: response, ms }, 'request of an application');
    });
  }

  return {
    handle,
    upgrade,
    close() {
      for (const { connections } of made.values()) connections.close();
    },
  };
}

const failureCodes = {
  down: 'APPLICATION_DOWN',
  slow: 'APPLICATION_SLOW',
  malformed: 'APPLICATION_MALFORMED',
} as const;

/** The folders of this application and of all others that may share a host with it. */
function foldersOf(upstreams: readonly Upstream[], { host }: Upstream): string[] {
  const there = upstreams.filter((other) => host === null || other.host === null || other.host === host);
  return there.map(({ path }) => folderOf(path));
}

/** Null without a caller: the connection may be that of a proxy, which also carries requests of others. */
function clientOf({ socket }: IncomingMessage, caller: Caller | null): Client | null {
  return caller === null ? null : { connection: socket, caller: caller.sessionId ?? caller.id };
}

/** The names of the headers that are not sent on: a preflight that passes unchecked has no one's credentials. */
function withheldFrom(asks: GatewayRequest, rule: PathRule): readonly string[] {
  return rule.passPreflight && isPreflight(asks)
    ? ['cookie', 'authorization', rule.tokenHeader.toLowerCase()]
    : withheldHeaders(asks.headers, rule);
}

/** Whether an answer stays open for as long as someone listens: such an answer is tracked from its beginning. */
function isStream({ headers }: IncomingMessage): boolean {
  return /^(?:text\/event-stream|application\/(?:grpc|x-ndjson|stream\+json)|multipart\/x-mixed-replace)/i.test(
    headers['content-type'] ?? '',
  );
}
