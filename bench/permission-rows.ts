import { request } from './load-client.ts';
import { compare, type Effort } from './paired.ts';
import { startPortico } from './portico.ts';
import type { ServerProcess } from './processes.ts';
import { shareRow, type Row } from './report.ts';
import { signIn } from './signed-in.ts';

const path = '/v2/users/current/permissions';
/** The number of windows that ask for their rights, each with a token of its own. */
const windows = 200;

/**
 * GET /v2/users/current/permissions: the bearer is verified, the person and the rights are looked up, a line
 * is logged.
 */
export async function* permissionRows(bare: ServerProcess, effort: Effort): AsyncGenerator<Row> {
  const portico = await startPortico();
  try {
    const browser = await signIn(portico);
    const asked: Buffer[] = [];
    for (let window = 0; window < windows; window += 1) {
      const accessToken = await browser.accessToken();
      asked.push(request('GET', path, { authorization: `Bearer ${accessToken}` }));
    }
    const authorization = /authorization: (.+)\r\n/.exec(asked[0]?.toString() ?? '')?.[1] ?? '';
    const answer = await fetch(portico.url + path, { headers: { authorization } });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}.`);
    await fetch(`http://127.0.0.1:${bare.port}${path}`, { method: 'PUT', body: await answer.text() });

    let turn = 0;
    const next = () => asked[(turn += 1) % asked.length] ?? Buffer.alloc(0);
    const comparison = await compare(
      { bare: { server: bare, next }, portico: { server: portico, next } },
      effort,
    );
    yield shareRow(`GET ${path}, with verification, ${windows} tokens`, comparison, 0.6);
  } finally {
    await portico.stop();
  }
}
