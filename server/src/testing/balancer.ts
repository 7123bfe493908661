import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';

export type Balancer = {
  url: string;
  /** Ports of the replicas that were ready when they were asked last. */
  ready(): number[];
};

/** How often a replica is asked whether it is ready, and for how long it may think about the answer. */
const askEveryMs = 250;
const answerWithinMs = 2_000;

/**
 * A plain round-robin balancer: persistent connections, no request sent twice, and a replica gets requests
 * for as long as its `/readyz` answers 200. What a replica refuses or breaks off is a 502. The test that
 * asked closes it at its end.
 */
export async function startBalancer(
  ports: readonly number[],
  afterThisTest: (cleanUp: () => void) => void,
): Promise<Balancer> {
  const agents = new Map(ports.map((port) => [port, new Agent({ keepAlive: true })]));
  const ready = new Set<number>();
  let turn = 0;

  function forward(incoming: IncomingMessage, answer: ServerResponse): void {
    const choice = ports.filter((port) => ready.has(port));
    const port = choice[(turn += 1) % choice.length];
    if (port === undefined) {
      answer.writeHead(502).end('no replica is ready');
      return;
    }
    const { method, url: path, headers } = incoming;
    const onward = httpRequest({
      host: '127.0.0.1',
      port,
      method,
      path,
      headers: { ...headers, connection: 'keep-alive' },
      agent: agents.get(port),
    });
    onward.once('error', (error) => {
      if (answer.headersSent) answer.destroy();
      else answer.writeHead(502).end(`${port}: ${error.message}`);
    });
    onward.once('response', (response) => {
      const { connection: _hop, 'keep-alive': _alive, ...forwarded } = response.headers;
      answer.writeHead(response.statusCode ?? 502, forwarded);
      response.pipe(answer);
      response.once('error', () => answer.destroy());
    });
    incoming.pipe(onward);
  }

  async function ask(port: number): Promise<void> {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`, {
      signal: AbortSignal.timeout(answerWithinMs),
    }).catch(() => null);
    await answer?.arrayBuffer().catch(() => undefined);
    if (answer?.ok === true) ready.add(port);
    else ready.delete(port);
  }

  const asking = setInterval(() => void Promise.all(ports.map(ask)), askEveryMs);
  const server = createServer({ keepAliveTimeout: 0 }, forward);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const close = () => {
    clearInterval(asking);
    server.close();
    server.closeAllConnections();
    for (const agent of agents.values()) agent.destroy();
  };
  afterThisTest(close);
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, ready: () => [...ready] };
}
