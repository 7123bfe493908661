import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '#server/config.ts';
import { expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

// No container engine and no cluster runs these files in the tests; what they set must be what Portico reads.
const folder = join(import.meta.dirname, '../deploy');
/** A request that is finished during a stop may take this long after `STOP_DELAY` (main.ts). */
const finishMs = 10_000;
const text = (file: string) => readFileSync(join(folder, file), 'utf8');

it('START-3: the settings of the container, the compose file and the manifests are a configuration that starts', () => {
  const image = Object.fromEntries(
    [...text('Dockerfile').matchAll(/(?:^ENV |^ {4})([A-Z_]+)=([^\s\\]+)/gm)].map(([, name = '', value]) => [
      name,
      value,
    ]),
  );
  expect(readConfig(image)).toMatchObject({ host: '0.0.0.0', port: 3000, dataDir: '/data' });

  const { portico } = (parse(text('compose.yaml')) as Compose).services;
  const password = /\$\{POSTGRES_PASSWORD:\?[^}]*\}/;
  expect(portico.environment['DATABASE_URL']).toMatch(password);
  const composed = mapped(portico.environment, (value) => value.replace(password, 'letters123'));
  const config = readConfig({ ...image, ...composed });
  expect(config).toMatchObject({
    database: { engine: 'postgres' },
    upstreams: [{ url: new URL('http://application') }],
  });
  expect(portico.ports).toEqual([`127.0.0.1:${new URL(config.publicUrl).port}:${config.port}`]);
  expect(portico.volumes).toEqual([`portico:${config.dataDir}`]);
  expect(millisecondsOf(portico.stop_grace_period)).toBeGreaterThan(config.stopDelayMs + finishMs);

  const [pod, container] = podOf('kubernetes/deployment.yaml');
  const set = container.env.map(({ name, value = 'postgres://portico:secret@database/portico' }) => [
    name,
    value,
  ]);
  const inCluster = readConfig({ ...image, ...(Object.fromEntries(set) as Record<string, string>) });
  expect(inCluster).toMatchObject({
    database: { engine: 'postgres' },
    trustProxy: 1,
    upstreams: [{ rules: [] }],
  });
  expect(container.ports).toEqual([{ name: 'http', containerPort: inCluster.port }]);
  const { basePath } = inCluster;
  expect(container.startupProbe.httpGet.path).toBe(`${basePath}/healthz`);
  expect(container.livenessProbe.httpGet.path).toBe(`${basePath}/healthz`);
  expect(container.readinessProbe.httpGet.path).toBe(`${basePath}/readyz`);
  expect(container.readinessProbe.periodSeconds * 1_000).toBeLessThan(inCluster.stopDelayMs);
  expect(pod.terminationGracePeriodSeconds * 1_000).toBeGreaterThan(inCluster.stopDelayMs + finishMs);
  expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toContain(inCluster.dataDir);
});

it('START-3: every manifest is YAML, named by the kustomization, and the unit leaves the server time to stop', () => {
  const files = readdirSync(join(folder, 'kubernetes')).filter((file) => file !== 'kustomization.yaml');
  const { resources } = parse(text('kubernetes/kustomization.yaml')) as { resources: string[] };
  expect(resources.toSorted()).toEqual(files.toSorted());
  for (const file of files)
    for (const { errors, contents } of parseAllDocuments(text(`kubernetes/${file}`)))
      expect([file, errors, contents?.toJSON()]).toEqual([
        file,
        [],
        expect.objectContaining({ kind: expect.any(String) }),
      ]);

  const policy = parse(text('kubernetes/network-policy.yaml')) as NetworkPolicy;
  const [, container] = podOf('kubernetes/deployment.yaml');
  const { podSelector, ingress } = policy.spec;
  expect(podSelector.matchLabels).toEqual(labelsOf('kubernetes/deployment.yaml'));
  expect(ingress).toHaveLength(1);
  expect(container.ports).toContainEqual(expect.objectContaining({ name: ingress[0].ports[0].port }));

  const unit = text('portico.service');
  const [, environment = ''] = /^Environment=(.*)$/m.exec(unit) ?? [];
  const set = Object.fromEntries(environment.split(' ').map((part) => part.split('=') as [string, string]));
  expect(readConfig(mapped(set, (value) => value.replace(/%[SC]/, '/var/lib'))).dataDir).toBe(
    '/var/lib/portico',
  );
  expect(millisecondsOf(`${/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]}s`)).toBeGreaterThan(
    readConfig({}).stopDelayMs + finishMs,
  );
});

type Compose = {
  services: Record<
    'portico',
    { environment: Record<string, string>; ports: string[]; volumes: string[]; stop_grace_period: string }
  >;
};
type Probe = { httpGet: { path: string }; periodSeconds: number };
type Container = {
  env: { name: string; value?: string }[];
  ports: object[];
  startupProbe: Probe;
  livenessProbe: Probe;
  readinessProbe: Probe;
  volumeMounts: { mountPath: string }[];
};
type NetworkPolicy = {
  spec: { podSelector: { matchLabels: object }; ingress: [{ ports: [{ port: string }] }] };
};
type Pod = { terminationGracePeriodSeconds: number; containers: [Container] };

function podOf(file: string): [Pod, Container] {
  const { spec } = (parse(text(file)) as { spec: { template: { spec: Pod } } }).spec.template;
  return [spec, spec.containers[0]];
}

function labelsOf(file: string): object {
  const { template } = (parse(text(file)) as { spec: { template: { metadata: { labels: object } } } }).spec;
  return template.metadata.labels;
}

function mapped(values: Record<string, string>, change: (value: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}

/** Milliseconds of a time such as `30s`. */
function millisecondsOf(written: string): number {
  return Number.parseInt(written, 10) * 1_000;
}
