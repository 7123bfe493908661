import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

const mostBytes = 32 * 1024 * 1024;
const mostMs = 10_000;

/**
 * For a request that is answered before all of it has come: reads on for a while and throws away what comes,
 * then closes the connection. Closing at once would reset it while the client still writes, and most clients
 * would never see the answer; reading on for ever would be doing what was just refused.
 */
export function discardUnread(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  let left = mostBytes;
  const cutOff = setTimeout(() => request.destroy(), mostMs);
  cutOff.unref();
  request.once('close', () => clearTimeout(cutOff));
  request.on('data', (bytes: Buffer) => {
    left -= bytes.byteLength;
    if (left < 0) request.destroy();
  });
  // It may have been paused, such as by `unpipe`.
  request.resume();
}

/**
 * For a connection that Node has left, such as after the offer to upgrade, and that was answered: takes what the client
 * still sends, or its end would never be seen, and closes the connection after a while.
 */
export function discardRest(socket: Socket): void {
  const cutOff = setTimeout(() => socket.destroy(), mostMs);
  cutOff.unref();
  socket.once('close', () => clearTimeout(cutOff));
  socket.resume();
}
