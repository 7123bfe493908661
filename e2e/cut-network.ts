import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { claimed, type Installation, type startInstallation } from './installation.ts';

/** Where the exchange of a report breaks off. */
export type Cut =
  | 'before the request'
  | 'in the middle of the body'
  | 'after it was stored, before the answer'
  | 'in the middle of the answer'
  | 'by a reset after it was stored';

export type CutNetwork = {
  /** The origin for browsers. */
  url: string;
  installation: Installation;
  /** Sets where every report breaks off from now on; null: nowhere. */
  cut(where: Cut | null): void;
  /** How many reports have broken off. */
  count(): number;
  /** How many reports were let through. */
  passed(): number;
  close(): Promise<void>;
};

const reportLine = 'POST /v1/feedback HTTP/1.1';
/** Bytes of a report that arrive before it breaks off in its body. */
const arriving = 20_000;

/** A network between a browser and an installation, which can be cut at each point of a report's exchange. */
export async function createCutNetwork(start: typeof startInstallation): Promise<CutNetwork> {
  const sockets = new Set<Socket>();
  let target = 0;
  let cut: Cut | null = null;
  let count = 0;
  let passed = 0;

  const server = createServer((browser) => {
    const upstream = connect(target, '127.0.0.1');
    sockets.add(browser).add(upstream);
    /** Where the report on this connection breaks off. */
    let here: Cut | null = null;
    let sent = 0;

    function breakOff(how: 'end' | 'reset' = 'end'): void {
      count += 1;
      if (how === 'reset') browser.resetAndDestroy();
      else browser.destroy();
      upstream.destroy();
    }

    browser.on('data', (bytes) => {
      if (bytes.includes(reportLine)) {
        here = cut;
        if (cut === null) passed += 1;
      }
      if (here === 'before the request') return breakOff();
      if (here === 'in the middle of the body') {
        const rest = bytes.subarray(0, Math.max(0, arriving - sent));
        sent += bytes.length;
        upstream.write(rest);
        if (sent >= arriving) breakOff();
        return undefined;
      }
      return upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      switch (here) {
        case 'after it was stored, before the answer':
          return breakOff();
        case 'by a reset after it was stored':
          return breakOff('reset');
        case 'in the middle of the answer':
          // The browser receives a part of the answer before the connection ends.
          browser.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => breakOff());
          return undefined;
        default:
          return browser.write(bytes);
      }
    });
    for (const [one, other] of [
      [browser, upstream],
      [upstream, browser],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.end();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  const installation = await start({ ...claimed, PUBLIC_URL: url });
  target = Number(new URL(installation.url).port);
  return {
    url,
    installation,
    cut: (where) => (cut = where),
    count: () => count,
    passed: () => passed,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
