import { once } from 'node:events';
import { join } from 'node:path';
import { call, clientKey } from '../call.ts';
import { startPortico } from '../interop/portico.ts';
import { figures, newInstallation, tokenOf, type Fault } from './fault.ts';
import { flag } from './load.ts';

const watch = join(import.meta.dirname, '../../bench/loop-watch.ts');
/**
 * The promise is 50 ms. On a machine that others use too, only a pause ten times as long is certainly Portico's
 * fault.
 */
const fault = 500;

const conditions: Record<string, unknown>[] = [
  { email: { $regex: String.raw`.+@example\.com$` } },
  { name: { $regex: '^(a|b)*c$' } },
  { version: { $vgte: '1.2.3' } },
  { tags: { $elemMatch: { $eq: 'x' } } },
  { url: { $regex: 'admin' } },
];

/**
 * Bodies that only an attacker sends: long texts, long lists, deep nesting, in everything that a condition may look
 * at.
 */
const bodies = [
  ...['email', 'name', 'version', 'tags', 'url'].flatMap((name) =>
    [
      Array.from({ length: 40_000 }, (_each, index) => index),
      `${'a'.repeat(80_000)}!`,
      `${'+'.repeat(80_000)}\n`,
      `${'й'.repeat(29)}!`,
      '1.'.repeat(40_000),
    ].map((value) => ({ attributes: { [name]: value } })),
  ),
  { attributes: {}, url: `https://example.org/${'a'.repeat(9_000)}` },
  { attributes: {}, forcedFeatures: Array.from({ length: 1_000 }, () => ['parent', 'x'.repeat(40)]) },
  { attributes: {}, forcedFeatures: [['parent', `${'a'.repeat(60_000)}!`]] },
  { attributes: Object.fromEntries(Array.from({ length: 5_000 }, (_each, index) => [`a${index}`, index])) },
].map((body) => JSON.stringify(body));
for (const levels of [100, 60_000])
  bodies.push(`{"attributes":{},"forcedFeatures":[["parent",${'['.repeat(levels)}${']'.repeat(levels)}]]}`);

/** The longest time that hostile evaluations block the event loop. */
export const hostileEvaluations: Fault = {
  name: 'hostile evaluations',
  async run(rounds) {
    const installation = await newInstallation();
    const { url, child } = await startPortico(installation, ['--import', watch]);
    const token = tokenOf(installation);
    const losses: string[] = [];
    for (const [index, condition] of conditions.entries()) {
      const rules = [{ condition, force: true }];
      const key = index === 0 ? 'parent' : `flag-${index}`;
      await call(url, token, 'POST', '/v1/flags', { ...flag, key, defaultValue: false, rules });
    }
    const key = await clientKey(url, token, 'remote-eval');
    const answers = new Map<number, number>();
    const evaluate = async (body: string) => {
      const headers = { 'content-type': 'application/json' };
      const { status } = await fetch(`${url}/api/eval/${key}`, { method: 'POST', headers, body });
      answers.set(status, (answers.get(status) ?? 0) + 1);
      if (status >= 500) losses.push(`${body.slice(0, 60)}… answered ${status}`);
    };
    const longestHold = async () => {
      child.send('how long');
      return Math.round(((await once(child, 'message')) as [number])[0]);
    };
    await evaluate('{"attributes":{}}');
    await longestHold();
    for (let round = 0; round < rounds * 3; round += 1) for (const body of bodies) await evaluate(body);
    const held = await longestHold();
    if (held > fault) losses.push(`the event loop was held for ${held} ms`);
    const summary = [...answers].map(([status, times]) => `${times} × ${status}`).join(', ');
    return figures(`${summary}; the event loop was held for ${held} ms at the longest`, losses);
  },
};
