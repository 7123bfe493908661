import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../prepare.mjs';
import { startPortico } from './portico.ts';
import { eventually, fourFreePorts, startProgram, type Program } from './programs.ts';
import { must, type Table } from './table.ts';

const programs = {
  prometheus: '/usr/bin/prometheus',
  promtool: '/usr/bin/promtool',
  alertmanager: '/usr/bin/prometheus-alertmanager',
};
const area = 'Prometheus';
const token = 'a-token-of-the-interop-run-0123456789abcdef';

type Sample = { metric: Record<string, string>; value: [number, string] };
type Alert = { labels: Record<string, string>; status: { state: string } };

const json = async <T>(url: string): Promise<T> => (await (await fetch(url)).json()) as T;

/** Prometheus scrapes both ports of Portico, and its Alertmanager receives an alert of `deploy/prometheus`. */
export async function checkPrometheus(table: Table, folder: string): Promise<void> {
  const here = join(folder, 'prometheus');
  mkdirSync(here, { recursive: true });
  const [main, metrics, server, manager] = await fourFreePorts();
  const settings = { METRICS_PORT: String(metrics), METRICS_TOKEN: token, BASE_PATH: '/portico' };
  const start = () => startPortico({ folder: join(here, 'portico'), port: main, settings });
  const url = `http://127.0.0.1:${server}`;
  const query = async (expression: string): Promise<Sample[]> =>
    (
      await json<{ data: { result: Sample[] } }>(
        `${url}/api/v1/query?query=${encodeURIComponent(expression)}`,
      )
    ).data.result;
  const alerts = async (): Promise<string[]> =>
    (await json<Alert[]>(`http://127.0.0.1:${manager}/api/v2/alerts?active=true`))
      .filter(({ status }) => status.state === 'active')
      .map(({ labels }) => labels['alertname'] ?? '');

  let portico = await start();
  const running = startBoth(here, { main, metrics, server, manager });
  const output = () => running.map((program) => program.output().slice(-2_000)).join('\n');
  try {
    await table.check(area, 'promtool accepts the scrape, the rules and their cases', async () => {
      const scraped = await fetch(`http://127.0.0.1:${metrics}/metrics`, {
        headers: { authorization: `Bearer ${token}` },
      });
      writeFileSync(join(here, 'scrape.txt'), await scraped.text());
      const lint = promtool('check metrics <scrape.txt', here);
      must(lint === '0', lint);
      const cases = promtool('test rules alerts.test.yaml', join(root, 'deploy/prometheus'));
      must(cases.endsWith('0'), cases);
    });
    await table.check(area, 'scrapes the port of its own, and the main one with the token', async () => {
      const up = await eventually(output, async () => {
        const found = await query('up{job="portico"} == 1');
        return found.length === 2 ? found : null;
      });
      const answers = await eventually(output, async () => {
        const found = await query('portico_http_requests_total{route="/readyz",status="2xx"}');
        return found.length === 2 ? found : null;
      });
      const samples = await query('max(scrape_samples_scraped{job="portico"})');
      const seconds = await query('max(scrape_duration_seconds{job="portico"})');
      return `${up.length} targets, ${answers.length} counters, ${samples[0]?.value[1]} samples in ${seconds[0]?.value[1]} s`;
    });
    await table.check(area, 'an alert fires at the Alertmanager when Portico ends', async () => {
      must(!(await alerts()).includes('PorticoDown'), 'PorticoDown fires before anything happened');
      await portico.program.stop();
      await eventually(output, async () => (await alerts()).includes('PorticoDown'));
    });
    await table.check(area, 'and is resolved when Portico is there again', async () => {
      portico = await start();
      await eventually(output, async () => !(await alerts()).includes('PorticoDown'));
    });
  } finally {
    await portico.program.stop();
    for (const program of running) await program.stop();
  }
}

/** Runs promtool; returns its output, followed by its exit code. */
function promtool(words: string, cwd: string): string {
  const command = `${programs.promtool} ${words}`;
  const { stdout, stderr, status } = spawnSync(command, { cwd, shell: true, encoding: 'utf8' });
  return `${stdout}${stderr}${status}`;
}

/** Starts Prometheus with the alerts of `deploy/`, which here wait for seconds, and its Alertmanager. */
function startBoth(
  here: string,
  { main, metrics, server, manager }: Record<'main' | 'metrics' | 'server' | 'manager', number>,
): Program[] {
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
  const startAt = (port: number, program: 'alertmanager' | 'prometheus', ...args: string[]) => {
    const common = [`--config.file=${program}.yml`, `--web.listen-address=127.0.0.1:${port}`];
    return startProgram(programs[program], [...common, ...args], { cwd: here });
  };
  return [
    startAt(manager, 'alertmanager', '--storage.path=alerts', '--cluster.listen-address='),
    startAt(server, 'prometheus', '--storage.tsdb.path=series'),
  ];
}
