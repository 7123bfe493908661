import http, { type Agent, type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { Upstream } from '#server/config-upstreams.ts';

/** Who sends a request: the connection that it came by, and the session or the token that it is of. */
export type Client = { connection: Socket; caller: string };

/** Opens requests to one application, on connections that are used again. */
export type UpstreamConnections = {
  /**
   * @param options.alone on a connection of its own: for WebSockets, and where a used one has just failed
   * @param options.client to whom the connection is bound, where the application authenticates whole connections
   */
  open(
    request: { method: string; target: string; headers: string[] },
    options?: { alone?: boolean; client?: Client | null },
  ): ClientRequest;
  close(): void;
};

/**
 * An unused connection is closed before an application would close it: one that ends just as the next request is
 * written fails it, and what changes something is never sent twice. Most servers wait 2 s or longer.
 */
const unusedForMs = 1_500;
/** For a client's own connection: its loss costs another sign-in, and answering a challenge takes a while. */
const unusedBoundForMs = 4_000;
const mostUnused = 256;
/** Cookies, policies and links of an answer; Node's own limit is a quarter of it. */
const mostHeaderBytes = 65_536;

/**
 * Schemes that authenticate each request (the registry of RFC 9110, and usual ones). Any other scheme may
 * authenticate a connection once for all its requests, as NTLM and Negotiate do.
 */
const eachRequest =
  /^(?:basic|bearer|digest|dpop|gnap|hoba|mutual|oauth|privatetoken|scram-sha-(?:1|256)|vapid|token|jwt|api-?key|hawk|hmac|signature|aws4-hmac-sha256)$/i;
/** The schemes in a header that lists challenges, and the scheme that begins a header with credentials. */
const schemes = /(?:^\s*[\w!#$%&'*+.^`|~-]+(?=\s|,|$))|(?<=,)\s*[\w!#$%&'*+.^`|~-]+(?=\s*(?:,|$)|\s+[^\s=])/g;

/** Whether a header authenticates its whole connection. */
function bindsCaller(name: string, value: string): boolean {
  if (name.length > 19) return false;
  const lower = name.toLowerCase();
  if (lower === 'persistent-auth') return true;
  if (lower !== 'authorization' && lower !== 'www-authenticate' && lower !== 'proxy-authenticate')
    return false;
  return (value.match(schemes) ?? []).some((scheme) => !eachRequest.test(scheme.trim()));
}

function bindsConnection(headers: readonly string[]): boolean {
  for (let at = 0; at < headers.length; at += 2)
    if (bindsCaller(headers[at] as string, headers[at + 1] as string)) return true;
  return false;
}

/**
 * Connections to one application, shared by all clients. A connection that the application authenticates as a whole
 * is used only for one caller on one connection of a client, and ends with that; it is never used again where the
 * caller is not known.
 */
export function createUpstreamConnections({ url }: Pick<Upstream, 'url'>): UpstreamConnections {
  const { request, Agent } = url.protocol === 'https:' ? https : http;
  const shared = new Agent({
    keepAlive: true,
    timeout: unusedForMs,
    maxFreeSockets: mostUnused,
    scheduling: 'lifo',
  });
  const bound = new WeakMap<Socket, { caller: string; agent: Agent }>();
  const place: RequestOptions = {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port),
    setHost: false,
    maxHeaderSize: mostHeaderBytes,
  };

  function bind({ connection, caller }: Client): Agent {
    const end = (): void => bound.get(connection)?.agent.destroy();
    // A proxy's connection serves one client after the other.
    if (bound.has(connection)) end();
    else connection.once('close', end);
    const agent = new Agent({ keepAlive: true, maxSockets: 1, timeout: unusedBoundForMs });
    bound.set(connection, { caller, agent });
    return agent;
  }

  function boundTo(client: Client | null): Agent | null {
    const known = client === null ? undefined : bound.get(client.connection);
    return known !== undefined && known.caller === client?.caller ? known.agent : null;
  }

  return {
    open({ method, target, headers }, { alone = false, client = null } = {}) {
      let agent: Agent | false | null = boundTo(client);
      if (agent === null && bindsConnection(headers)) agent = client === null ? false : bind(client);
      const isShared = agent === null && !alone;
      const outgoing = request({
        ...place,
        method,
        path: target,
        headers,
        agent: agent ?? (alone ? false : shared),
      });
      if (isShared)
        outgoing.prependOnceListener('response', ({ rawHeaders }: IncomingMessage) => {
          if (bindsConnection(rawHeaders)) outgoing.shouldKeepAlive = false;
        });
      return outgoing;
    },
    close: () => shared.destroy(),
  };
}
