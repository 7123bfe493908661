import { request } from './load-client.ts';
import { compare, type Effort } from './paired.ts';
import { freshEnvironment, startPortico } from './portico.ts';
import type { ServerProcess } from './processes.ts';
import { shareRow, type Row } from './report.ts';
import { signIn } from './signed-in.ts';

const path = '/auth/check';
const secret = 'b'.repeat(64);

/** GET /auth/check, as nginx asks for each request: the session, the rights and the assertion. */
export async function* checkRows(bare: ServerProcess, effort: Effort): AsyncGenerator<Row> {
  const portico = await startPortico([], {
    ...(await freshEnvironment()),
    TRUST_PROXY: '1',
    AUTH_CHECK_SECRET: secret,
  });
  try {
    const browser = await signIn(portico);
    const headers = {
      cookie: browser.cookieHeader(),
      accept: '*/*',
      'x-forwarded-for': '192.0.2.7',
      'x-portico-check-secret': secret,
      'x-original-uri': '/orders?page=2',
      'x-original-method': 'GET',
    };
    const answer = await fetch(portico.url + path, { headers });
    if (answer.status !== 204) throw new Error(`${path} answered ${answer.status}.`);
    await fetch(`http://127.0.0.1:${bare.port}${path}`, { method: 'PUT', body: '' });
    const bytes = request('GET', path, headers);
    const next = () => bytes;
    const comparison = await compare(
      { bare: { server: bare, next }, portico: { server: portico, next } },
      effort,
    );
    yield shareRow(`GET ${path}, with session, rights and assertion`, comparison, 0.5);
  } finally {
    await portico.stop();
  }
}
