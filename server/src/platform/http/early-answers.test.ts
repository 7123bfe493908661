import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { localHosts } from '../../testing/test-server.ts';
import { afterThisTest } from '../../testing/fresh-database.ts';
import { clientAddress, createDelayedAnswers } from './early-answers.ts';
import { createLogger } from '../log/logger.ts';
import { placeFront } from './front.ts';

async function start(trustProxy: false | number) {
  const fastify = Fastify({
    trustProxy: trustProxy === false ? false : (_address, hop) => hop < trustProxy,
    serverFactory: () => createServer(),
  });
  fastify.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  fastify.post('/echo', ({ body, ip, raw }) => ({ body, ip, early: clientAddress(raw, trustProxy) }));
  placeFront(fastify, {
    basePath: '',
    early: {
      wants: ({ headers }) => headers['x-early'] !== undefined,
      answer(_request, body) {
        const text = body.toString();
        const taken = { status: 201, headers: {}, body: '{"body":"taken"}' };
        if (text.startsWith('stop'))
          return { status: 429, headers: { 'x-why': 'early' }, body: '{}', delayed: true };
        if (text === 'take') return new Promise((done) => setImmediate(done, taken));
        return text === 'break' ? Promise.reject(new Error('It broke.')) : null;
      },
    },
    hosts: localHosts,
    stopping: () => false,
    logger: createLogger('silent'),
  });
  await fastify.listen({ host: '127.0.0.1', port: 0 });
  afterThisTest(() => fastify.close());
  const { port } = fastify.server.address() as AddressInfo;
  const post = async (body: string, headers: Record<string, string> = { 'x-early': '1' }) => {
    const answer = await fetch(`http://127.0.0.1:${port}/echo`, { method: 'POST', body, headers });
    return {
      status: answer.status,
      ...((await answer.json()) as { body?: string; ip?: string; early?: string }),
    };
  };
  return { port, post, server: fastify.server };
}

describe('an early answer', () => {
  it('DIAG-2: is given to a body that came whole; every other request goes on with all of its body', async () => {
    const { port, post, server } = await start(false);
    expect(await post('stop')).toEqual({ status: 429 });
    expect(await post('take')).toEqual({ status: 201, body: 'taken' });
    expect(await post('break')).toEqual({ status: 500 });
    expect(await post('stop', {})).toMatchObject({ status: 200, body: 'stop' });
    expect(await post('go on')).toMatchObject({ status: 200, body: 'go on' });
    const long = 'go on '.repeat(100_000);
    expect(await post(long)).toMatchObject({ status: 200, body: long });
    expect(await post('')).toMatchObject({ status: 200 });

    // In two parts, the body is not complete when the server checks it.
    const socket = connect(port, '127.0.0.1');
    afterThisTest(() => {
      socket.destroy();
      return Promise.resolve();
    });
    await once(socket, 'connect');
    socket.setNoDelay(true);
    const head =
      'POST /echo HTTP/1.1\r\nhost: localhost\r\nx-early: 1\r\ncontent-type: text/plain\r\ncontent-length: 7\r\n\r\n';
    let received = '';
    socket.on('data', (part) => (received += part.toString()));
    const begun = once(server, 'request');
    socket.write(`${head}sto`);
    await begun;
    for (let turn = 0; turn < 3; turn += 1) await new Promise((next) => setImmediate(next));
    socket.write('p it');
    await expect.poll(() => received).toContain('"body":"stop it"');
    // The connection goes on.
    socket.write(`${head}stop it`);
    await expect.poll(() => received).toContain('x-why: early');
  });

  it.each([false, 0, 1, 2] as const)(
    'DIAG-2: knows the client behind %j proxies as the framework does',
    async (trusted) => {
      const { post } = await start(trusted);
      for (const forwarded of ['', '1.1.1.1', '1.1.1.1, 2.2.2.2', '1.1.1.1,2.2.2.2 , 3.3.3.3']) {
        const { ip, early } = await post('x', forwarded === '' ? {} : { 'x-forwarded-for': forwarded });
        expect([forwarded, early]).toEqual([forwarded, ip]);
      }
    },
  );

  it('API-2: leaves a request to the framework whose body does not come', async () => {
    const { port, server } = await start(false);
    const requests: string[] = [];
    const socket = connect(port, '127.0.0.1');
    afterThisTest(() => void socket.destroy());
    server.on('request', (request) => request.on('newListener', (name) => requests.push(String(name))));
    socket.write(
      'POST /echo HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Early: 1\r\nContent-Type: text/x\r\nContent-Length: 4\r\n\r\n',
    );
    // The framework reads it.
    await expect.poll(() => requests).toContain('data');
    socket.write('late');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toContain('"body":"late"');
  });
});

describe('held answers', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('DIAG-2: are written in their order a tenth of a second later, a few at once, and no more than fit are held', () => {
    const { delay } = createDelayedAnswers(() => Date.now());
    const written: number[] = [];
    const tryAll = (count: number) =>
      Array.from({ length: count }, (_each, at) => delay(() => written.push(at))).filter(Boolean).length;
    expect(tryAll(2_500)).toBe(2_000);
    vi.advanceTimersByTime(99);
    expect(written).toHaveLength(0);
    vi.advanceTimersByTime(1);
    expect(written).toHaveLength(25);
    vi.advanceTimersByTime(5);
    expect(written).toHaveLength(50);
    expect(tryAll(100)).toBe(50);
    vi.advanceTimersByTime(600);
    expect(written).toHaveLength(2_050);
    expect(written.slice(0, 2_000)).toEqual(Array.from({ length: 2_000 }, (_each, at) => at));
    expect(vi.getTimerCount()).toBe(0);
    // It begins again, with its delay.
    expect(tryAll(1)).toBe(1);
    vi.advanceTimersByTime(99);
    expect(written).toHaveLength(2_050);
    vi.advanceTimersByTime(1);
    expect(written).toHaveLength(2_051);
  });
});
