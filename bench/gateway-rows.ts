import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { openLoad, request } from './load-client.ts';
import { compare, spread, type Effort } from './paired.ts';
import { freshEnvironment, startPortico } from './portico.ts';
import { freePort } from '#server/testing/free-port.ts';
import { serving, startScript, type ServerProcess } from './processes.ts';
import { limitRow, type Row } from './report.ts';
import { signIn } from './signed-in.ts';

const path = '/page';
const bytes = 20_000;
const latencies = { usual: 4_000, quick: 1_000 };

/** The cost of reaching an application through Portico, compared with a bare pass-through to the same one. */
export async function* gatewayRows(_bare: ServerProcess, effort: Effort): AsyncGenerator<Row> {
  const at = await freePort();
  const application = await serving(
    startScript([`${import.meta.dirname}/bare-application.ts`, String(at)]),
    at,
    path,
  );
  const port = await freePort();
  const through = await serving(
    startScript([`${import.meta.dirname}/bare-gateway.ts`, String(port), String(at)]),
    port,
    path,
  );
  const environment = await freshEnvironment();
  environment['PUBLIC_URL'] = `${environment['PUBLIC_URL']}/portico`;
  environment['UPSTREAM_URL'] = `http://127.0.0.1:${at}`;
  const portico = await startPortico([], environment, { weighed: true });
  try {
    const cookie = (await signIn(portico)).cookieHeader();
    const plain = request('GET', path);
    const signedIn = request('GET', path, { cookie });
    const { ratio, perSecond } = await compare(
      { bare: { server: through, next: () => plain }, portico: { server: portico, next: () => signedIn } },
      effort,
    );
    const count = (value: number) => Math.round(value).toLocaleString('en');
    yield {
      name: 'GET 20 kB of an application through the gateway, signed in',
      figure:
        `${ratio.median.toFixed(2)} (${ratio.low.toFixed(2)}–${ratio.high.toFixed(2)}); ` +
        `${count(perSecond.portico)} : ${count(perSecond.bare)} a second`,
      promise: '≥ 0.5 of a bare pass-through',
      met: ratio.median >= 0.5,
    };

    const times = effort.rounds > 5 ? latencies.usual : latencies.quick;
    const [own, others] = [
      await milliseconds(portico.port, signedIn, times),
      await milliseconds(through.port, plain, times),
    ];
    const [added, p99] = [own.median - others.median, own.p99 - others.p99];
    yield limitRow(
      'Time that the gateway adds to a request, median',
      added,
      'ms',
      1,
      ` (99th percentile ${p99.toFixed(2)} ms; ${own.median.toFixed(2)} : ${others.median.toFixed(2)} ms)`,
    );

    const before = await portico.weight();
    const requests = effort.rounds > 5 ? 100_000 : 10_000;
    await ask(portico.port, signedIn, requests);
    const grown = ((await portico.weight()) - before) / 1_000_000;
    yield limitRow(`Memory that stays after ${count(requests)} requests`, grown, 'MB', 5, '');

    const sockets = await openSockets(portico.port, cookie, 1_000);
    const held = ((await portico.weight()) - before) / 1_000_000;
    yield limitRow('Memory for 1,000 WebSockets', held, 'MB', 60, '');
    for (const socket of sockets) socket.destroy();

    const size = effort.rounds > 5 ? 1_000_000_000 : 100_000_000;
    const rested = portico.memory();
    const most = await download(portico, cookie, size);
    const peak = (most - rested) / 1_000_000;
    yield limitRow(`Memory during a download of ${count(size / 1_000_000)} MB`, peak, 'MB', 100, '');
    const stalled = connect(portico.port, '127.0.0.1').pause();
    stalled.write(request('GET', `/bytes/${size}`, { cookie }));
    await pause(1_500);
    const buffered = ((await portico.weight()) - before) / 1_000_000;
    stalled.destroy();
    yield limitRow('Memory for a client that takes nothing', buffered, 'MB', 10, '');
  } finally {
    await Promise.all([portico.stop(), through.stop(), application.stop()]);
  }
}

async function openSockets(port: number, cookie: string, count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let opened = 0; opened < count; opened += 1) {
    const socket = connect(port, '127.0.0.1');
    const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
    socket.write(
      request('GET', '/', { cookie, 'sec-websocket-key': 'MDEyMzQ1Njc4OWFiY2RlZg==', ...upgrade }),
    );
    const [answer] = (await once(socket, 'data')) as [Buffer];
    if (!answer.toString().startsWith('HTTP/1.1 101')) throw new Error(answer.toString());
    sockets.push(socket);
  }
  return sockets;
}

/** Downloads `size` bytes; returns the server's peak resident memory during the download, in bytes. */
async function download(portico: ServerProcess, cookie: string, size: number): Promise<number> {
  let most = 0;
  let left = size;
  const socket = connect(portico.port, '127.0.0.1');
  socket.write(request('GET', `/bytes/${size}`, { cookie }));
  const timer = setInterval(() => (most = Math.max(most, portico.memory())), 50);
  for await (const part of socket) {
    left -= (part as Buffer).length;
    if (left <= 0) break;
  }
  clearInterval(timer);
  return most;
}

/** Measures one request, repeated in sequence on one connection. */
function milliseconds(port: number, sent: Buffer, times: number): Promise<{ median: number; p99: number }> {
  return new Promise((done, fail) => {
    const taken: number[] = [];
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let begun = 0;
    let left = 0;
    const next = () => {
      begun = performance.now();
      left = -1;
      socket.write(sent);
    };
    socket.on('error', fail);
    socket.on('data', (part: Buffer) => {
      if (left < 0) left = bytes + part.indexOf('\r\n\r\n') + 4;
      left -= part.length;
      if (left > 0) return;
      taken.push(performance.now() - begun);
      if (taken.length < times * 1.2) next();
      else {
        socket.destroy();
        const measured = taken.slice(-times).toSorted((one, other) => one - other);
        done({ median: spread(measured).median, p99: measured[Math.floor(times * 0.99)] ?? Number.NaN });
      }
    });
    socket.once('connect', next);
  });
}

async function ask(port: number, sent: Buffer, requests: number): Promise<void> {
  const load = await openLoad(port, 32, () => sent);
  try {
    for (let done = 0; done < requests;) done += (await load.run(500)).requests;
  } finally {
    load.close();
  }
}
