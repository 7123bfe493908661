import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { discardUnread } from '#server/platform/http/receive-bytes.ts';
import { headersForClient, trailersToSend, type RuleOf } from './header-rules.ts';
import { publicLinks, type PublicAddresses } from './public-addresses.ts';
import type { Client, UpstreamConnections } from './upstream-connections.ts';

/** Why an application has given no answer that can be passed on; `detail` says it without internal addresses. */
export type UpstreamFailure = { is: 'down' | 'slow' | 'malformed'; error: Error; detail?: string };

export type Exchange = {
  request: IncomingMessage;
  response: ServerResponse;
  connections: UpstreamConnections;
  /** Left out: no connection to the application is bound to this client. */
  client?: Client | null;
  target: string;
  /** As `headersForUpstream` makes them. */
  headers: string[];
  /** For trailers. */
  ruleOf?: RuleOf;
  addresses: PublicAddresses;
  /** Sent in place of the client's body. */
  body?: Buffer | undefined;
  /** How long the exchange may make no progress before the answer begins. */
  timeoutMs: number;
  /** Called when the answer begins, before its first byte is sent. */
  onAnswer?(answer: IncomingMessage): void;
  /** Replaces the way in which the answer is sent on; left out: as it comes. */
  relay?(answer: IncomingMessage): void;
  /** Called if there is no answer. The client is still connected, and nothing has been sent to it. */
  onFailure(failure: UpstreamFailure): void;
};

/** A client that reads nothing of an answer for this long is disconnected. */
const stalledMs = 300_000;
/** How often in its time an exchange is looked at: an upload that stops is found an eighth of the time late at most. */
const looks = 8;
/** Methods that may be retried after a reused connection has failed (RFC 9112, 9.3.1). */
const repeatable = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Sends one request on and its answer back, both as they come: nothing is buffered beyond what the two sockets
 * hold. An end on one side ends the other at once: a client that leaves ends the request to the application, and
 * an application that breaks off cuts the client's connection, so that no one takes a part for the whole.
 */
export function forward(exchange: Exchange): void {
  const { request, response } = exchange;
  const { headers } = request;
  const length = headers['content-length'];
  const hasBody =
    exchange.body === undefined &&
    (headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0'));
  let outgoing: ClientRequest;
  let answered = false;

  function send(alone: boolean): void {
    outgoing = exchange.connections.open(
      { method: request.method ?? 'GET', target: exchange.target, headers: exchange.headers },
      { alone, client: exchange.client ?? null },
    );
    outgoing.on('response', answer);
    outgoing.on('error', failed);
    // The application has its time once it has all of the request.
    outgoing.once('finish', () => {
      if (!hasBody || answered || response.destroyed) return;
      quiet = 0;
      timer.refresh();
    });
    outgoing.on('upgrade', refuseUpgrade);
    if (headers.expect !== undefined) outgoing.on('continue', () => response.writeContinue());
    outgoing.on('information', inform);
    // Otherwise Node waits for the first part of the body, and a client that streams may wait for the answer.
    // `flushHeaders` would encode headers as UTF-8.
    if (headers['transfer-encoding'] !== undefined && hasBody) outgoing.write('', 'latin1');
    if (hasBody) sendBody(request, outgoing, exchange.ruleOf);
    else outgoing.end(exchange.body);
  }

  function inform({
    statusCode,
    headers: early,
  }: {
    statusCode: number;
    headers: IncomingMessage['headers'];
  }) {
    const { link } = early;
    // Clients of HTTP/1.0 know no answers before the answer (RFC 9110, 15.2).
    if (statusCode !== 103 || link === undefined || response.headersSent || request.httpVersionMinor === 0)
      return;
    if (exchange.relay !== undefined) return;
    const links = Array.isArray(link) ? link : link.split(/,\s*(?=<)/);
    try {
      response.writeEarlyHints({ link: links.map((one) => publicLinks(one, exchange.addresses)) });
    } catch {
      // Node refuses some hints that RFC 8297 allows. The answer itself has them all.
    }
  }

  function answer(incoming: IncomingMessage): void {
    if (!isFinal(incoming)) {
      fail(malformed('Its status is invalid.'));
      return;
    }
    answered = true;
    clearInterval(timer);
    if (response.destroyed) {
      incoming.destroy();
      return;
    }
    exchange.onAnswer?.(incoming);
    if (exchange.relay === undefined) relay(incoming, exchange);
    else exchange.relay(incoming);
  }

  /** Refuses an answer that switches to a protocol that no one asked for. */
  function refuseUpgrade(_answer: IncomingMessage, socket: { destroy(): void }): void {
    socket.destroy();
    if (!answered) fail(malformed('It switched protocols without being asked.'));
  }

  function failed(error: Error & { code?: string }): void {
    if (answered || response.destroyed) return;
    const isStale = outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
    if (isStale && !hasBody && repeatable.has(request.method ?? '')) {
      send(true);
      return;
    }
    fail(failureBy(error, outgoing));
  }

  function fail(failure: UpstreamFailure): void {
    answered = true;
    clearInterval(timer);
    request.unpipe(outgoing);
    outgoing.destroy();
    exchange.onFailure(failure);
  }

  // An upload that goes on is not slow.
  let [uploaded, quiet] = [0, 0];
  const timer = setInterval(() => {
    const written = hasBody && !outgoing.writableFinished ? (outgoing.socket?.bytesWritten ?? 0) : 0;
    quiet = written > uploaded ? 0 : quiet + 1;
    uploaded = written;
    if (quiet >= looks) fail({ is: 'slow', error: new Error('The application did not answer in time.') });
  }, exchange.timeoutMs / looks);

  response.once('close', () => {
    clearInterval(timer);
    if (!response.writableFinished) outgoing.destroy();
  });
  send(false);
}

/** The body as it comes; the client is read only as fast as the application takes it. */
function sendBody(request: IncomingMessage, outgoing: ClientRequest, ruleOf?: RuleOf): void {
  request.pipe(outgoing, { end: false });
  request.once('end', () => {
    const { rawTrailers } = request;
    if (rawTrailers.length > 0) outgoing.addTrailers(trailersToSend(rawTrailers, ruleOf));
    outgoing.end();
  });
}

/** Whether an answer has a final status. Node also reads a status below 100, which it cannot write. */
export function isFinal({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200;
}

export function malformed(detail: string): UpstreamFailure {
  return { is: 'malformed', error: new Error(`The application's answer is malformed: ${detail}`), detail };
}

/** The kind of a failure. A server that answers, but not by HTTP, or breaks off in the answer's head, is not down. */
export function failureBy(error: Error & { code?: string }, outgoing: ClientRequest): UpstreamFailure {
  const { code = '', message } = error;
  if (code.startsWith('HPE_')) return { is: 'malformed', error, detail: message };
  if (code === 'EPROTO' || /^(?:ERR_(?:SSL|TLS)|CERT|DEPTH|SELF|UNABLE|HOSTNAME)_/.test(code))
    return { is: 'malformed', error, detail: `TLS failed: ${code}` };
  const hasBegun = !outgoing.reusedSocket && (outgoing.socket?.bytesRead ?? 0) > 0;
  return message === 'socket hang up' && hasBegun
    ? { is: 'malformed', error, detail: 'It broke off within its head.' }
    : { is: 'down', error };
}

/** Writes status and reason of an application's answer, with these headers. */
export function writeHeadOf(
  { statusCode = 502, statusMessage }: IncomingMessage,
  response: ServerResponse,
  headers: string[],
): void {
  try {
    response.writeHead(statusCode, statusMessage, headers);
  } catch {
    // The reason phrase has characters that Node does not write. It has stored the phrase nevertheless.
    response.statusMessage = '';
    response.writeHead(statusCode, headers);
  }
}

function relay(incoming: IncomingMessage, { request, response, addresses }: Exchange): void {
  const { rawHeaders, headers } = incoming;
  const chunked = headers['transfer-encoding'] !== undefined;
  const canTrail = chunked && request.httpVersionMinor > 0 && request.method !== 'HEAD';
  const sent = headersForClient({
    raw: rawHeaders,
    connection: headers.connection,
    chunked: canTrail,
    addresses,
  });
  writeHeadOf(incoming, response, sent);
  response.setTimeout(stalledMs, () => {
    if (response.writableNeedDrain) response.destroy();
  });
  let begun = false;
  incoming.on('data', (part: Buffer) => {
    begun = true;
    if (!response.write(part)) incoming.pause();
  });
  response.on('drain', () => incoming.resume());
  incoming.once('end', () => {
    begun = true;
    if (canTrail && incoming.rawTrailers.length > 0)
      response.addTrailers(trailersToSend(incoming.rawTrailers));
    response.end();
    // The answer came before the whole request: the rest of the request is read for a while and discarded.
    if (!request.complete) {
      request.unpipe();
      // The application must not take the next person's request for the rest of this one.
      incoming.socket.destroy();
      discardUnread(request);
    }
  });
  incoming.once('close', () => {
    if (!incoming.complete) response.destroy();
  });
  incoming.on('error', () => response.destroy());
  // Streams may send nothing for a long time after their head.
  setImmediate(() => {
    if (!begun && !response.destroyed) response.write('', 'latin1');
  });
}
