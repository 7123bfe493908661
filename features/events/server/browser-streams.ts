import type { PresenceOfBrowser } from '#features/presence/contract/presence.ts';
import type { FastifyReply } from 'fastify';
import { retryMessage, createEventStream } from '#server/platform/http/event-stream.ts';
import type { Presence } from '#features/presence/server/presence.ts';
import { createConnections, type Connection } from './connections.ts';

export type BrowserStreams = ReturnType<typeof createBrowserStreams>;

/** Milliseconds after which a client reconnects when its stream breaks. */
const retryMs = 3_000;
/** A person who opens more streams than this loses the oldest one, which then does not reconnect at once. */
const most = { ofPerson: 20, ofSession: 6 };
const displacedForMs = 60_000;

/** The connected browsers, and the messages written to their streams. */
export function createBrowserStreams(presence: Presence) {
  const streams = createEventStream(retryMs);
  const connections = createConnections(most);

  /** Ends a connection with a last message. */
  function end(connection: Connection, last: Buffer): void {
    if (!connections.remove(connection)) return;
    connection.last = last;
    if (connection.stream === null) return;
    presence.closed(connection.id);
    streams.end(connection.stream, last);
  }

  function gone(connection: Connection): void {
    if (connections.remove(connection)) presence.closed(connection.id);
  }

  return {
    connections,
    /** Registers a connection; messages wait until `open`. Ends the oldest connection if there are too many. */
    register(connection: Connection): void {
      const displaced = connections.add(connection);
      if (displaced !== null) end(displaced, retryMessage(displacedForMs));
    },
    /** Opens the stream of a connection with its first messages. */
    open(
      connection: Connection,
      reply: FastifyReply,
      first: readonly Buffer[],
      browser: PresenceOfBrowser,
    ): void {
      const messages = [...first, ...(connection.held ?? [])];
      connection.held = null;
      const onClose = () => gone(connection);
      const stream = streams.open(reply, { first: Buffer.concat(messages), onClose });
      if (stream === null) connections.remove(connection);
      else if (connection.last !== null) streams.end(stream, connection.last);
      else {
        connection.stream = stream;
        presence.opened({ connectionId: connection.id, personId: connection.personId, ...browser });
      }
    },
    send(connection: Connection, message: Buffer): void {
      if (connection.stream === null) connection.held?.push(message);
      else streams.send(connection.stream, message);
    },
    /** Sends a message to all connections; where the first messages are not written yet, it follows them. */
    sendAll(message: Buffer): void {
      streams.broadcast(message);
      for (const { held } of connections.all()) held?.push(message);
    },
    /** Sends only to streams whose first messages are written; later first messages already include the change. */
    sendOpen: (message: Buffer) => streams.broadcast(message),
    end,
    endSession(sessionId: string, last: Buffer): void {
      for (const connection of connections.ofSession(sessionId)) end(connection, last);
    },
    /** The number of streams that this process has open. */
    size: () => streams.size,
    /** Sends every browser a time to reconnect, and closes its stream. */
    close: () => streams.close(),
  };
}
