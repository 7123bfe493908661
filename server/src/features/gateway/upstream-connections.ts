import http, { type ClientRequest, type RequestOptions } from 'node:http';
import https from 'node:https';
import type { Upstream } from '../../config-upstreams.ts';

/** Opens requests to one application, on connections that are used again. */
export type UpstreamConnections = {
  /** @param alone on a connection of its own: for WebSockets, and where a used one has just failed */
  open(request: { method: string; target: string; headers: string[] }, alone?: boolean): ClientRequest;
  close(): void;
};

/**
 * An unused connection is closed before an application would close it: one that ends just as the next request is
 * written fails it, and what changes something is never sent twice. Most servers wait 2 s or longer.
 */
const unusedForMs = 1_500;
const mostUnused = 256;
/** Cookies, policies and links of an answer; Node's own limit is a quarter of it. */
const mostHeaderBytes = 65_536;

export function createUpstreamConnections({ url }: Pick<Upstream, 'url'>): UpstreamConnections {
  const { request, Agent } = url.protocol === 'https:' ? https : http;
  const agent = new Agent({
    keepAlive: true,
    timeout: unusedForMs,
    maxFreeSockets: mostUnused,
    scheduling: 'lifo',
  });
  const place: RequestOptions = {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port),
    setHost: false,
    maxHeaderSize: mostHeaderBytes,
  };
  return {
    open: ({ method, target, headers }, alone = false) =>
      request({ ...place, method, path: target, headers, agent: alone ? false : agent }),
    close: () => agent.destroy(),
  };
}
