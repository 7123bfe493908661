import { connect } from 'node:net';
import { openLoad, request } from './load-client.ts';
import { compare, spread, type Effort } from './paired.ts';
import { freshEnvironment, startPortico, type Portico } from './portico.ts';
import { freePort } from '#server/testing/free-port.ts';
import { serving, startScript, type ServerProcess } from './processes.ts';
import { limitRow, type Row } from './report.ts';
import { signIn } from './signed-in.ts';

const path =
  '/geoserver/wms?SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&LAYERS=town%3Astreets&STYLES=&CRS=EPSG%3A3857&BBOX=0%2C0%2C1%2C1&WIDTH=256&HEIGHT=256&FORMAT=image%2Fpng';
const bytes = 20_000;
const latencies = { usual: 4_000, quick: 1_000 };

/** What the guard of the map costs a tile, compared with a bare pass-through to the same map server. */
export async function* mapRows(_bare: ServerProcess, effort: Effort): AsyncGenerator<Row> {
  const at = await freePort();
  const server = await serving(
    startScript([`${import.meta.dirname}/bare-map-server.ts`, String(at)]),
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
  environment['GEOSERVER_URL'] = `http://127.0.0.1:${at}/geoserver`;
  const portico = await startPortico([], environment, { weighed: true });
  try {
    const cookie = await mapCookie(portico);
    const plain = request('GET', path);
    const signedIn = request('GET', path, { cookie });
    const { ratio, perSecond } = await compare(
      { bare: { server: through, next: () => plain }, portico: { server: portico, next: () => signedIn } },
      effort,
    );
    const count = (value: number) => Math.round(value).toLocaleString('en');
    yield {
      name: 'GET a tile of 20 kB through the guard of the map',
      figure:
        `${ratio.median.toFixed(2)} (${ratio.low.toFixed(2)}–${ratio.high.toFixed(2)}); ` +
        `${count(perSecond.portico)} : ${count(perSecond.bare)} a second`,
      promise: '≥ 0.5 of a bare pass-through',
      met: ratio.median >= 0.5,
    };

    const times = effort.rounds > 5 ? latencies.usual : latencies.quick;
    const [own, others] = [
      await medianMs(portico.port, signedIn, times),
      await medianMs(through.port, plain, times),
    ];
    const compared = ` (${own.toFixed(2)} : ${others.toFixed(2)} ms)`;
    yield limitRow('Time that the guard adds to a tile, median', own - others, 'ms', 1, compared);

    const before = await portico.weight();
    const tiles = effort.rounds > 5 ? 100_000 : 10_000;
    const load = await openLoad(portico.port, 32, () => signedIn);
    try {
      for (let done = 0; done < tiles;) done += (await load.run(500)).requests;
    } finally {
      load.close();
    }
    const grown = ((await portico.weight()) - before) / 1_000_000;
    yield limitRow(`Memory that stays after ${count(tiles)} tiles`, grown, 'MB', 5, '');
  } finally {
    await Promise.all([portico.stop(), through.stop(), server.stop()]);
  }
}

/** The cookie that the requests for the map's pictures send. */
async function mapCookie(portico: Portico): Promise<string> {
  const token = await (await signIn(portico)).accessToken();
  const answer = await fetch(`${portico.url}/cookies/token`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      host: new URL(portico.environment['PUBLIC_URL'] ?? '').host,
    },
  });
  const [cookie = ''] = answer.headers.getSetCookie();
  return cookie.split(';', 1)[0] ?? '';
}

/** Measures one request, repeated in sequence on one connection. */
function medianMs(port: number, sent: Buffer, times: number): Promise<number> {
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
        done(spread(taken.slice(-times)).median);
      }
    });
    socket.once('connect', next);
  });
}
