import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * A client may send an upgrade before it has the answers to earlier requests (RFC 9112, 9.3.2). Node reports it at
 * once, and has left the connection by then: there is no place for a second answer, and its errors are no one's.
 */
export function whenAnswered(
  socket: Socket & { _httpMessage?: ServerResponse | null },
  go: () => void,
): void {
  const { _httpMessage: underWay } = socket;
  if (underWay === null || underWay === undefined) {
    go();
    return;
  }
  const destroy = (): void => void socket.destroy();
  socket.on('error', destroy);
  underWay.once('close', () => {
    socket.off('error', destroy);
    if (socket.destroyed || socket.writableEnded) return;
    // Node counts the time to a next request from here, which has come.
    socket.setTimeout(0);
    whenAnswered(socket, go);
  });
}

/**
 * WebSockets alone are joined to an application. A connection that it takes over for HTTP/2 would carry requests
 * that no one checks.
 */
export function offersWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.trim().toLowerCase() === 'websocket';
}

/**
 * Portico has nothing else to upgrade to, and a server may ignore the offer (RFC 9110, 7.8), which some clients
 * make for HTTP/2 with every request. Node has stopped reading the connection by then; it reads it again
 * without the offer.
 */
export function readWithoutUpgrade(
  server: Server,
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
): void {
  const { method, url, httpVersion, rawHeaders } = request;
  let text = `${method} ${url} HTTP/${httpVersion}\r\n`;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (/^(upgrade|http2-settings)$/i.test(name)) continue;
    const value = rawHeaders[at + 1] ?? '';
    text += `${name}: ${/^connection$/i.test(name) ? withoutUpgrade(value) : value}\r\n`;
  }
  socket.unshift(Buffer.concat([Buffer.from(`${text}\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
  socket.resume();
}

function withoutUpgrade(connection: string): string {
  const options = connection.split(',').map((option) => option.trim());
  return options.filter((option) => !/^(upgrade|http2-settings)$/i.test(option)).join(', ') || 'keep-alive';
}
