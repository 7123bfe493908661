import { createServer, request as httpRequest, Agent, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { gateway, open, passed, type Place } from '#server/testing/gateway.ts';
import type { Admission } from './admission.ts';

/** Signs a connection in, as NTLM and Negotiate do: who has said who they are is not asked again on it. */
function bindingApplication() {
  const people = new WeakMap<Socket, string>();
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const { socket, headers, url } = request;
    sockets.add(socket);
    const person = people.get(socket);
    const [scheme = '', said = ''] = headers.authorization?.split(' ') ?? [];
    // The last message counts on the connection of the first one alone.
    const isKnown = said !== '' && said !== 'hello' && (scheme !== 'NTLM' || person === 'half');
    if (said === 'hello') {
      people.set(socket, 'half');
      response.writeHead(401, { 'www-authenticate': `${scheme} challenge` }).end();
    } else if (isKnown && scheme !== 'Basic') {
      people.set(socket, said);
      response.end(said);
    } else if (url === '/persistent') {
      people.set(socket, 'root');
      response.writeHead(200, { 'persistent-auth': 'true' }).end('root');
    } else if (person === undefined || person === 'half') {
      if (url === '/refused') people.set(socket, 'root');
      response.writeHead(401, { 'www-authenticate': ['Basic realm="x"', 'Negotiate', 'NTLM'] }).end('no one');
    } else response.end(person);
  });
  return { server, sockets };
}

/** The session is the one that the cookie names; without one there is no caller. */
const bySession: NonNullable<Place['admit']> = ({ headers: { cookie } }): Admission =>
  cookie === undefined
    ? { is: 'passed', caller: null, headers: [] }
    : { ...passed, caller: { ...passed.caller, sessionId: cookie } };

/** A client's connection, on which one request follows the other. */
function client(port: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  open.push(() => agent.destroy());
  return async (session: string, authorization?: string, path = '/'): Promise<string> => {
    const headers = {
      ...(session === '' ? {} : { cookie: session }),
      ...(authorization === undefined ? {} : { authorization }),
    };
    const answer = await new Promise<IncomingMessage>((done, fail) =>
      httpRequest({ port, host: '127.0.0.1', agent, headers, path }, done).on('error', fail).end(),
    );
    return text(answer);
  };
}

describe('GATE-1: an application that ties who calls to a connection', () => {
  it.each(['NTLM', 'Negotiate', 'negotiate', 'Kerberos', 'Nego2', 'PassportX'])(
    'knows one client by %s, and no one else by its connection',
    async (scheme) => {
      const { port } = await gateway(bindingApplication().server, { admit: bySession });
      const [ada, ben] = [client(port), client(port)];
      expect(await ada('a')).toBe('no one');
      await ada('a', `${scheme} hello`);
      await ada('a', `${scheme} ada`);
      expect(await ada('a')).toBe('ada');
      expect(await ben('b')).toBe('no one');
      expect(await ben('b', 'Basic x')).toBe('no one');
      expect(await ada('a')).toBe('ada');
    },
  );

  it('knows no other session on the same connection of a proxy, and no one whom no session names', async () => {
    const { port } = await gateway(bindingApplication().server, { admit: bySession });
    const proxy = client(port);
    await proxy('a', 'NTLM hello');
    expect(await proxy('a', 'NTLM ada')).toBe('ada');
    expect(await proxy('b')).toBe('no one');
    expect(await proxy('')).toBe('no one');
    await proxy('b', 'NTLM hello');
    expect(await proxy('b', 'NTLM ben')).toBe('ben');
    expect(await proxy('a')).toBe('no one');
    await proxy('', 'Negotiate eve');
    expect(await proxy('')).toBe('no one');
  });

  it.each(['/refused', '/persistent'])('keeps no connection that said so in its answer: %s', async (path) => {
    const { port } = await gateway(bindingApplication().server, { admit: bySession });
    await client(port)('a', undefined, path);
    expect(await client(port)('b')).toBe('no one');
  });

  it('knows a scheme whatever its credentials begin with', async () => {
    const { port } = await gateway(bindingApplication().server, { admit: bySession });
    const [ada, ben] = [client(port), client(port)];
    expect(await ada('a', 'Negotiate =ada')).toBe('=ada');
    expect(await ben('b')).toBe('no one');
  });

  it('has one connection for a client, which ends with it', async () => {
    const { server, sockets } = bindingApplication();
    const { port } = await gateway(server, { admit: bySession });
    const ada = client(port);
    await ada('a', 'NTLM hello');
    await ada('a', 'NTLM ada');
    await ada('a');
    expect(sockets.size).toBe(1);
    for (const close of open.splice(-1)) await close();
    await expect.poll(() => [...sockets].every(({ destroyed }) => destroyed)).toBe(true);
  });
});
