import {
  createServer,
  type IncomingMessage,
  request as send,
  type Server,
  type ServerResponse,
} from 'node:http';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';

/*
 * An application of another team, with a strict Content-Security-Policy of its own: pages that a server renders,
 * and one that React renders. A reverse proxy puts it on one origin with Portico, as a company's proxy would.
 */

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob:; form-action 'self'";

/** CSS rules that match every part of the page, and a root font size that `rem` depends on. */
const hostile = `
  * { all: unset !important; display: block !important; color: red !important }
  html { font-size: 10px !important; --accent: magenta; --paper: lime }
  script, style, head, title, meta, link { display: none !important }
  button, dialog, div { border: 9px solid red !important; font-size: 40px !important; position: static !important }
`;

const plain = `
  body { margin: 0; font: 16px/1.5 Georgia, serif; background: #fff; color: #222 }
  header { position: sticky; top: var(--portico-banner-height, 0px); background: #234; color: #fff; padding: 12px 24px }
  main { padding: 24px }
  h1 { margin-top: 0 }
  .dark body { background: #111; color: #eee }
`;

const links = '<a href="/shop/">Orders</a> <a href="/shop/basket">Basket</a>';

function pageOf(title: string, body: string, tag: string, sheet = 'plain'): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="/shop/icon.svg">
<link rel="stylesheet" href="/shop/${sheet}.css">
<script type="module" src="${tag}"></script></head>
<body><header>The shop</header><main><h1>${title}</h1><p>${links}</p>${body}</main></body></html>`;
}

/** Builds the application's own script, with React and the hooks as they are shipped. */
export async function buildShop(folder: string, dist: string): Promise<string> {
  await build({
    root: import.meta.dirname,
    configFile: false,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: { alias: { 'portico/react': join(dist, 'portico-react.js') } },
    build: {
      outDir: folder,
      emptyOutDir: false,
      rolldownOptions: {
        input: join(import.meta.dirname, 'framed-shop.tsx'),
        output: { entryFileNames: 'shop.js' },
      },
    },
  });
  return readFile(join(folder, 'shop.js'), 'utf8');
}

export type Framed = { origin: string; requests: string[]; stop(): Promise<void> };

/**
 * Starts the application, and the proxy in front of the application and Portico.
 *
 * @param portico where Portico listens, once the proxy has its port
 */
export async function startFramed(
  port: number,
  base: string,
  portico: () => string,
  script: string,
): Promise<Framed> {
  const requests: string[] = [];
  const origin = `http://localhost:${port}`;
  const tag = `${base}/portico.js`;
  const pages: Record<string, [type: string, text: string]> = {
    '/shop/': ['text/html', pageOf('Orders', '<p><button id="order">Place the order</button></p>', tag)],
    '/shop/basket': ['text/html', pageOf('Basket', '<form><input name="q" aria-label="Search"></form>', tag)],
    '/shop/hostile': ['text/html', pageOf('Hostile', '', tag, 'hostile')],
    '/shop/app': [
      'text/html',
      pageOf('Application', '<div id="root"></div><script type="module" src="/shop/shop.js"></script>', tag),
    ],
    '/shop/icon.svg': ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    '/shop/plain.css': ['text/css', plain],
    '/shop/hostile.css': ['text/css', hostile],
    '/shop/shop.js': ['text/javascript', script],
  };
  const server: Server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    // Requests of Portico's own pages are not recorded.
    if (request.headers.referer?.startsWith(`${origin}/shop/`) === true)
      requests.push(`${request.method} ${path}`);
    const found = pages[path] ?? (path.startsWith('/shop/app/') ? pages['/shop/app'] : undefined);
    if (found !== undefined) {
      response.writeHead(200, {
        'content-type': `${found[0]}; charset=utf-8`,
        'content-security-policy': policy,
        'cache-control': 'no-store',
      });
      response.end(found[1]);
    } else if (path.startsWith('/shop/')) response.writeHead(path.endsWith('/fails') ? 500 : 404).end();
    else pass(request, response, portico());
  });
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  return {
    origin,
    requests,
    stop: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}

function pass(request: IncomingMessage, response: ServerResponse, to: string): void {
  const onward = send(
    new URL(request.url ?? '', to),
    { method: request.method, headers: request.headers },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  onward.on('error', () => response.writeHead(502).end());
  response.on('close', () => onward.destroy());
  request.pipe(onward);
}
