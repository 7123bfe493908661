import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../prepare.mjs';
import { startPortico } from './portico.ts';
import { eventually, fourFreePorts, startProgram } from './programs.ts';
import { checksOf, must } from './table.ts';

const token = 'a-token-of-the-interop-run-0123456789abcdef';
const check = checksOf('Prometheus');

type Samples = { data: { result: { value: [number, string] }[] } };
type Alert = { labels: Record<string, string>; status: { state: string } };
type Ports = Record<'main' | 'metrics' | 'server' | 'manager', number>;

const json = async <T>(url: string): Promise<T> => (await (await fetch(url)).json()) as T;

/** Prometheus scrapes both ports of Portico, and its Alertmanager receives an alert of `deploy/prometheus`. */
export async function checkPrometheus(here: string): Promise<void> {
  const [main, metrics, server, manager] = await fourFreePorts();
  const settings = { METRICS_PORT: String(metrics), METRICS_TOKEN: token, BASE_PATH: '/portico' };
  const start = () => startPortico({ folder: here, port: main, settings });
  const query = async (expression: string) => {
    const url = `http://127.0.0.1:${server}/api/v1/query?query=${encodeURIComponent(expression)}`;
    return (await json<Samples>(url)).data.result.map(({ value }) => value[1]);
  };
  const isDown = async (): Promise<boolean> => {
    const alerts = await json<Alert[]>(`http://127.0.0.1:${manager}/api/v2/alerts?active=true`);
    return alerts.some(
      ({ labels, status }) => labels['alertname'] === 'PorticoDown' && status.state === 'active',
    );
  };

  const portico = await start();
  startBoth(here, { main, metrics, server, manager });
  await check('promtool accepts the scrape, the rules and their cases', async () => {
    const headers = { authorization: `Bearer ${token}` };
    const scraped = await fetch(`http://127.0.0.1:${metrics}/metrics`, { headers });
    writeFileSync(join(here, 'scrape.txt'), await scraped.text());
    const lint = promtool('check metrics <scrape.txt', here);
    must(lint === '0', lint);
    const cases = promtool('test rules alerts.test.yaml', join(root, 'deploy/prometheus'));
    must(cases.endsWith('0'), cases);
  });
  await check('scrapes the port of its own, and the main one with the token', async () => {
    const counters = 'portico_http_requests_total{route="/readyz",status="2xx"}';
    for (const twice of ['up{job="portico"} == 1', counters])
      await eventually(`There are not two of ${twice}.`, async () => (await query(twice)).length === 2);
    const [samples] = await query('max(scrape_samples_scraped{job="portico"})');
    const [seconds] = await query('max(scrape_duration_seconds{job="portico"})');
    return `2 targets, 2 counters, ${samples} samples in ${seconds} s`;
  });
  await check('an alert fires at the Alertmanager when Portico ends', async () => {
    must(!(await isDown()), 'PorticoDown fires before anything happened');
    await portico.stop();
    await eventually('PorticoDown does not fire.', isDown);
  });
  await check('and is resolved when Portico is there again', async () => {
    await start();
    await eventually('PorticoDown fires on.', async () => !(await isDown()));
  });
}

/** Runs promtool; returns its output, followed by its exit code. */
function promtool(words: string, cwd: string): string {
  const options = { cwd, shell: true, encoding: 'utf8' } as const;
  const { stdout, stderr, status } = spawnSync(`/usr/bin/promtool ${words}`, options);
  return `${stdout}${stderr}${status}`;
}

/** Starts Prometheus with the alerts of `deploy/`, which here wait for seconds, and its Alertmanager. */
function startBoth(here: string, { main, metrics, server, manager }: Ports): void {
  const rules = readFileSync(join(root, 'deploy/prometheus/alerts.yaml'), 'utf8');
  writeFileSync(join(here, 'alerts.yaml'), rules.replaceAll(/for: \d+[mh]/g, 'for: 2s'));
  writeFileSync(join(here, 'token'), token);
  const target = (port: number): string => `static_configs: [{ targets: ['127.0.0.1:${port}'] }]`;
  writeFileSync(
    join(here, 'prometheus.yml'),
    `global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: [alerts.yaml]
alerting: { alertmanagers: [{ ${target(manager)} }] }
scrape_configs:
  - { job_name: portico, authorization: { credentials_file: token }, ${target(metrics)} }
  - job_name: main
    metrics_path: /portico/metrics
    authorization: { credentials_file: token }
    relabel_configs: [{ target_label: job, replacement: portico }]
    ${target(main)}
`,
  );
  writeFileSync(join(here, 'alertmanager.yml'), 'route: { receiver: none }\nreceivers: [{ name: none }]\n');
  const startAt = (port: number, program: string, name: string, ...args: string[]) => {
    const common = [`--config.file=${name}.yml`, `--web.listen-address=127.0.0.1:${port}`];
    startProgram(program, [...common, ...args], { cwd: here });
  };
  const withoutPeers = ['--storage.path=alerts', '--cluster.listen-address='];
  startAt(manager, '/usr/bin/prometheus-alertmanager', 'alertmanager', ...withoutPeers);
  startAt(server, '/usr/bin/prometheus', 'prometheus', '--storage.tsdb.path=series');
}
