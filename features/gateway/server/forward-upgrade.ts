import { ServerResponse, type ClientRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { discardRest } from '#server/platform/http/receive-bytes.ts';
import { failureBy, isFinal, malformed, writeHeadOf, type UpstreamFailure } from './forward.ts';
import { headersForClient } from './header-rules.ts';
import type { PublicAddresses } from './public-addresses.ts';
import type { Client, UpstreamConnections } from './upstream-connections.ts';

export type Upgrade = {
  request: IncomingMessage;
  socket: Socket;
  /** The bytes that the client sent together with its request. */
  head: Buffer;
  connections: UpstreamConnections;
  client: Client | null;
  target: string;
  /** As `headersForUpstream` makes them, with `Connection` and `Upgrade`. */
  headers: string[];
  addresses: PublicAddresses;
  timeoutMs: number;
  /** Called once both sides are joined, or the application answers otherwise. */
  onOpen(): void;
  onFailure(failure: UpstreamFailure): void;
};

/** TCP keep-alive probes of the operating system detect a peer that is gone without closing the connection. */
const probeMs = 30_000;
/** The most bytes that a client may send before both sides are joined. */
const mostEarlyBytes = 65_536;

/**
 * Joins a client's connection with one to the application, byte for byte in both directions: what WebSockets
 * send, pings among it, is not looked at. Each side is read only as fast as the other takes it.
 */
export function forwardUpgrade(upgrade: Upgrade): void {
  const { request, socket } = upgrade;
  const { method = 'GET' } = request;
  const outgoing = upgrade.connections.open(
    { method, target: upgrade.target, headers: upgrade.headers },
    { alone: true, client: upgrade.client },
  );
  let isOver = false;
  // The client is read even before both sides are joined: a socket that is not read does not report its end.
  const early: Buffer[] = [upgrade.head];
  let earlyBytes = 0;
  const timer = setTimeout(
    () => fail({ is: 'slow', error: new Error('The application did not answer in time.') }),
    upgrade.timeoutMs,
  );

  function fail(failure: UpstreamFailure): void {
    if (isOver) return;
    settle();
    outgoing.destroy();
    upgrade.onFailure(failure);
  }

  function settle(): void {
    isOver = true;
    clearTimeout(timer);
    socket.off('close', leave).off('end', leave).off('data', keep);
  }

  function keep(part: Buffer): void {
    early.push(part);
    earlyBytes += part.length;
    if (earlyBytes > mostEarlyBytes) socket.pause();
  }

  function leave(): void {
    settle();
    outgoing.destroy();
    socket.destroy();
  }

  socket.on('error', ignore);
  socket.on('close', leave).on('end', leave).on('data', keep);
  outgoing.on('error', (error) => fail(failureBy(error, outgoing)));
  outgoing.once('upgrade', (answer: IncomingMessage, other: Socket, otherHead: Buffer) => {
    if (answer.headers.upgrade?.toLowerCase() !== 'websocket')
      fail(malformed('It switched to another protocol than WebSocket.'));
    if (isOver) {
      other.destroy();
      return;
    }
    settle();
    join({ ...upgrade, head: Buffer.concat(early) }, answer, other, otherHead);
  });
  outgoing.once('response', (answer: IncomingMessage) => {
    if (isOver) {
      answer.destroy();
      return;
    }
    if (!isFinal(answer)) {
      fail(malformed('Its status is invalid.'));
      return;
    }
    settle();
    // This answer may last as long as a WebSocket.
    upgrade.onOpen();
    relayRefusal(upgrade, answer, outgoing);
  });
  outgoing.end();
}

function join(upgrade: Upgrade, answer: IncomingMessage, other: Socket, otherHead: Buffer): void {
  const { socket, head } = upgrade;
  const sent = headersOf(answer, upgrade);
  let text = `HTTP/1.1 101 ${answer.statusMessage ?? 'Switching Protocols'}\r\n`;
  for (let at = 0; at < sent.length; at += 2) text += `${sent[at]}: ${sent[at + 1]}\r\n`;
  text += `Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
  other.on('error', ignore);
  for (const each of [socket, other]) {
    each.setTimeout(0);
    each.setNoDelay(true);
    each.setKeepAlive(true, probeMs);
  }
  // When one side ends, orderly or not, the other side is ended too.
  socket.once('close', () => other.destroy());
  other.once('close', () => socket.destroy());
  socket.write(text, 'latin1');
  if (otherHead.length > 0) socket.write(otherHead);
  if (head.length > 0) other.write(head);
  upgrade.onOpen();
  other.pipe(socket);
  socket.pipe(other);
}

function headersOf({ rawHeaders: raw, headers: { connection } }: IncomingMessage, upgrade: Upgrade) {
  return headersForClient({ ...upgrade, raw, connection, chunked: false });
}

/** The application's own answer instead of the upgrade, such as 404. */
function relayRefusal(upgrade: Upgrade, answer: IncomingMessage, outgoing: ClientRequest): void {
  const response = responseOn(upgrade.request, upgrade.socket);
  writeHeadOf(answer, response, headersOf(answer, upgrade));
  answer.pipe(response);
  answer.once('close', () => {
    if (!answer.complete) response.destroy();
  });
  response.once('close', () => outgoing.destroy());
}

/** An HTTP answer on a connection whose client asked for an upgrade; the connection ends with the answer. */
export function responseOn(request: IncomingMessage, socket: Socket): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => {
    response.detachSocket(socket);
    discardRest(socket);
    socket.end();
  });
  return response;
}

function ignore(): void {
  // Nothing to do: the `close` that follows is handled.
}
