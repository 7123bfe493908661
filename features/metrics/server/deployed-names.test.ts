import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { evaluateAllFlags } from '#features/flags/contract/ofrep.ts';
import { onlyUpstream } from '#server/config-upstreams.ts';
import { startApp } from '#server/testing/app.ts';
import { engines } from '#server/testing/fresh-database.ts';
import { addToken } from '#server/testing/people.ts';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { scrape } from './testing/scrape.ts';

// Grafana is not run here: the names in the dashboard are compared with those that the application shows.
const folder = join(import.meta.dirname, '../../../deploy');
const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
const promtool = '/usr/bin/promtool';

type Rule = { alert: string; expr: string; annotations: { summary: string; what_to_do: string } };
type Case = { name: string; promql_expr_test: { exp_samples: { labels: string }[] }[] };

const { groups } = parse(read('prometheus/alerts.yaml')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(read('grafana/portico.json')) as {
  panels: { title: string; targets: { expr: string }[] }[];
};

const namesIn = (expressions: readonly string[]): string[] =>
  expressions.flatMap((each) => each.match(/\b(?:portico|process|nodejs)_\w+/g) ?? []);

it('RUN-6: every name in the alerts and in the dashboard is one of a real scrape, and every series of it is shown', async () => {
  const from = { name: null, address: 'portico@example.org' };
  const mail = { host: '127.0.0.1', port: 9, security: 'none', auth: null, from } as const;
  const token = 'a-token-for-the-metrics-0123456789abcdef';
  const config = {
    metrics: { port: null, host: '127.0.0.1', token },
    mail,
    files: {
      bucket: 'x',
      prefix: '',
      endpoint: 'http://127.0.0.1:9',
      region: 'x',
      accessKey: 'x',
      secretKey: 'x',
    },
    backup: { folder: '/backups', time: null, zone: null, keep: null, verifyWeekly: null, passphrase: null },
    basePath: '/portico',
    upstreams: [onlyUpstream(new URL('http://127.0.0.1:9'))],
  };
  const shown = new Set<string>();
  for (const engine of engines) {
    const app = await startApp({ engine, config });
    await addToken(app, { rights: [] });
    await fetch(`${app.url}${evaluateAllFlags.path}`, { method: 'POST' });
    for (const { name } of await scrape(app.url, token)) shown.add(name);
  }
  const used = namesIn([
    ...rules.map(({ expr }) => expr),
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ]);
  expect(rules.length + panels.length).toBeGreaterThan(25);
  expect(used.filter((name) => !shown.has(name))).toEqual([]);
  const own = [...shown].filter((name) => name.startsWith('portico_') && !/_(?:sum|count)$/.test(name));
  expect(own.filter((name) => !used.includes(name))).toEqual([]);
});

it('RUN-6: every alert says what to do, and has a case in which it fires and one in which it does not', () => {
  for (const { alert, annotations } of rules) {
    expect([alert, annotations.summary.length > 20]).toEqual([alert, true]);
    expect([alert, annotations.what_to_do.length > 40]).toEqual([alert, true]);
  }
  const { tests } = parse(read('prometheus/alerts.test.yaml')) as { tests: Case[] };
  const cases = tests.map(({ name, promql_expr_test: [given] }) => [name, given?.exp_samples.length]);
  expect(cases).toEqual(
    rules.flatMap(({ alert }) => [
      [`${alert} fires`, 1],
      [`${alert} is silent`, 0],
    ]),
  );
});

it.skipIf(!existsSync(promtool))('RUN-6: the alerts fire as their cases say, by promtool', () => {
  const done = spawnSync(promtool, ['test', 'rules', 'alerts.test.yaml'], {
    cwd: join(folder, 'prometheus'),
    encoding: 'utf8',
  });
  expect([done.stdout + done.stderr, done.status]).toEqual([expect.stringContaining('SUCCESS'), 0]);
});
