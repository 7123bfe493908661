import { request } from './load-client.ts';
import { compare, type Effort } from './paired.ts';
import { call } from '../dev/call.ts';
import { startPortico } from './portico.ts';
import type { Row } from './report.ts';

/** A read, so that the gate is checked; cheap, so that the cost of the gate is visible. */
const path = '/v1/roles';
const windows = 100;
const dayMs = 24 * 3_600_000;

/** What planned windows cost a request: the same route of two Porticos, of which one has many of them. */
export async function* gateRows(_bare: unknown, effort: Effort): AsyncGenerator<Row> {
  const without = await startPortico();
  const planned = await startPortico();
  try {
    const tomorrow = Date.now() + dayMs;
    for (let index = 0; index < windows; index += 1) {
      await call(planned.url, planned.token, 'POST', '/v1/maintenance/windows', {
        title: `Window ${index}`,
        text: '',
        severity: 'INFO',
        mode: index % 2 === 0 ? 'full' : 'read-only',
        leadMinutes: 10_080,
        endsByItself: true,
        startsAt: tomorrow + index * dayMs,
        endsAt: tomorrow + index * dayMs + 3_600_000,
      });
    }
    const asked = ({ token }: { token: string }) => {
      const bytes = request('GET', path, { authorization: `Bearer ${token}` });
      return () => bytes;
    };
    const { ratio, perSecond, cpu } = await compare(
      {
        bare: { server: without, next: asked(without) },
        portico: { server: planned, next: asked(planned) },
      },
      effort,
    );
    const count = (value: number) => Math.round(value).toLocaleString('en');
    yield {
      name: `GET ${path} through the gate, ${windows} windows planned`,
      figure:
        `${ratio.median.toFixed(2)} (${ratio.low.toFixed(2)}–${ratio.high.toFixed(2)}) of none planned; ` +
        `${count(perSecond.portico)} : ${count(perSecond.bare)} a second; ` +
        `${cpu.portico.toFixed(1)} : ${cpu.bare.toFixed(1)} µs of processor`,
      promise:
        'nothing measurable: ≥ 0.95 of none planned, or no more than the rounds differ among themselves',
      met: ratio.median >= 0.95 || ratio.high >= 1,
    };
  } finally {
    await Promise.all([without.stop(), planned.stop()]);
  }
}
