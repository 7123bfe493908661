import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { afterThisTest } from '#server/testing/fresh-database.ts';
import { post } from './post.ts';

/** A receiver that does as it pleases; answers its address. */
async function receiver(behave: RequestListener): Promise<string> {
  const server = createServer(behave);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  afterThisTest(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const send = (url: string, options: { signal?: AbortSignal; timeout?: number } = {}) =>
  post(url, { headers: {}, body: '{}', signal: new AbortController().signal, ...options });

describe('one message on its way', () => {
  it('MAINT-7: is given up where no answer comes in time', async () => {
    const url = await receiver(() => undefined);
    expect(await send(url, { timeout: 50 })).toMatchObject({ status: null, failure: 'timeout' });
  });

  it('MAINT-7: is given up when it is called back', async () => {
    const cancel = new AbortController();
    const url = await receiver(() => cancel.abort());
    expect(await send(url, { signal: cancel.signal })).toMatchObject({ status: null, failure: 'cancelled' });
  });

  it('MAINT-7: is given up where the receiver switches to another protocol', async () => {
    const url = await receiver((request) => {
      request.socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n');
    });
    expect(await send(url)).toMatchObject({ status: null, failure: 'network' });
  });

  it('MAINT-7: asks for the status alone, however much else comes, or however slowly', async () => {
    let sent = 0;
    const endless = await receiver((_request, response) => {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(16_384))) sent += 16_384;
      };
      response.on('drain', more);
      more();
    });
    expect(await send(endless)).toMatchObject({ status: 200, failure: null });
    // Only what fits into the buffers in between is sent.
    expect(sent).toBeLessThan(16_000_000);
    const slow = await receiver((_request, response) => {
      response.writeHead(202).write('I will tell you more, but');
    });
    // Where the head of the answer came too late for so short a time, once more.
    await expect.poll(() => send(slow, { timeout: 200 })).toMatchObject({ status: 202, failure: null });
  });

  it('MAINT-7: reports how long the receiver asks to be left alone', async () => {
    const url = await receiver((_request, response) =>
      response.writeHead(503, { 'retry-after': '30' }).end(),
    );
    expect(await send(url)).toMatchObject({ status: 503, failure: null, retryAfter: '30' });
  });
});
