import type { IncomingMessage } from 'node:http';
import type { UpstreamConnections } from '#features/gateway/server/upstream-connections.ts';

/** The map server did not answer. */
export class NoAnswer extends Error {
  readonly is: 'down' | 'slow';
  constructor(is: 'down' | 'slow', cause?: unknown) {
    super(is === 'slow' ? 'The map server did not answer in time.' : 'The map server does not answer.', {
      cause,
    });
    this.name = 'NoAnswer';
    this.is = is;
  }
}

/** Headers that name the caller to the map server. */
export type MapIdentity = readonly (readonly [string, string])[];

/**
 * Sends a request of Portico itself to the map server and passes the answer to `take` in parts, yielding to
 * other requests after each. Redirects are not followed.
 *
 * @param timeoutMs until the whole answer is there
 * @throws NoAnswer, and what `take` throws
 */
export async function requestMapServer(
  connections: UpstreamConnections,
  asked: { target: string; host: string; identity: MapIdentity; timeoutMs: number },
  take: (part: Uint8Array, answer: IncomingMessage) => void,
): Promise<IncomingMessage> {
  const headers = ['Host', asked.host, 'Accept', 'text/xml, application/xml, */*;q=0.1'];
  for (const [name, value] of asked.identity) headers.push(name, value);
  const request = connections.open({ method: 'GET', target: asked.target, headers }, { alone: true });
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    request.destroy(new Error('too late'));
  }, asked.timeoutMs);
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve);
      request.once('error', reject);
      request.once('upgrade', (_answer, socket) => {
        socket.destroy();
        reject(new Error('The map server switched protocols.'));
      });
      request.end();
    }).catch((error: unknown) => {
      throw new NoAnswer(late ? 'slow' : 'down', error);
    });
    try {
      for await (const part of answer as AsyncIterable<Uint8Array>) {
        take(part, answer);
        await new Promise((next) => setImmediate(next));
      }
    } catch (error) {
      if (late || (error as { code?: string }).code === 'ECONNRESET')
        throw new NoAnswer(late ? 'slow' : 'down', error);
      throw error;
    }
    return answer;
  } finally {
    clearTimeout(timer);
    request.destroy();
  }
}
