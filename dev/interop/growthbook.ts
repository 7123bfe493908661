import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import {
  GrowthBook,
  type FeatureDefinitions,
  type FeatureRule,
  type StickyAssignmentsDocument,
} from '@growthbook/growthbook';
import { freePort } from '#server/testing/free-port.ts';
import { call as callAt } from '../call.ts';
import { newToken, startPortico, type Portico } from './portico.ts';
import { must, type Table } from './table.ts';

const area = 'GrowthBook';

type Json = Record<string, unknown>;
type Context = Json & {
  attributes?: Json;
  features?: FeatureDefinitions;
  forcedVariations?: Record<string, number>;
};
type Case = {
  name: string;
  context: Context;
  key: string;
  expected: Json;
  /** What people have before, and after; left out: nothing is kept. */
  sticky?: { before: Documents; after: Documents };
};
type Documents = Record<string, StickyAssignmentsDocument>;

/** The parts of GrowthBook's file of published cases, `packages/sdk-js/test/cases.json`, that are asked of a server. */
type Cases = {
  evalCondition: [name: string, condition: Json, attributes: Json, expected: boolean, groups?: Json][];
  versionCompare: Record<string, [one: string, other: string, expected: boolean][]>;
  feature: [name: string, context: Context, key: string, expected: Json][];
  run: [name: string, context: Context, experiment: Json, value: unknown, within: boolean, hashed: boolean][];
  inNamespace: [name: string, id: string, namespace: [string, number, number], within: boolean][];
  stickyBucket: [name: string, context: Context, key: string, expected: Json | null, after: Documents][];
};

/** What only the SDK in an application knows. */
const ofSdkAlone = ['url', 'qaMode', 'enabled', 'active', 'force'];

/**
 * GrowthBook's published cases through a running Portico: each is imported as a payload, and both the SDK that
 * evaluates the payload itself and the one that has it evaluated must get what the case says.
 *
 * @param file GrowthBook's `cases.json`; it is in no package
 */
export async function checkGrowthbook(table: Table, folder: string, file: string): Promise<void> {
  if (file === '') return table.skip(area, 'all', 'no file of cases is named');
  const cases = JSON.parse(readFileSync(file, 'utf8')) as Partial<Cases>;
  const api = await openApi(folder, await freePort());
  try {
    const parts = casesByPart(cases);
    for (const [part, found] of Object.entries(parts)) {
      if (found === undefined) continue;
      await table.check(area, part, async () => {
        // Of the part that comes last.
        if (part === 'stickyBucket') await api.keepVariations();
        const wrong: string[] = [];
        for (const each of found) {
          const message = await differences(api, each);
          if (message !== '') wrong.push(`${each.name}: ${message}`);
        }
        must(wrong.length === 0, `${wrong.length} of ${found.length} differ\n${wrong.join('\n')}`);
        return `${found.length} cases`;
      });
    }
    const others = Object.keys(cases).filter((part) => !(part in parts));
    table.skip(area, others.join(', '), 'functions inside the SDK');
  } finally {
    await api.stop();
  }
}

function casesByPart(cases: Partial<Cases>): Record<string, Case[] | undefined> {
  const isOfSdk = (part: object) => ofSdkAlone.some((word) => word in part);
  const { versionCompare } = cases;
  return {
    evalCondition: cases.evalCondition?.map(ofCondition),
    versionCompare:
      versionCompare &&
      Object.entries(versionCompare).flatMap(([operator, pairs]) =>
        pairs.map(([v, other, expected]) =>
          ofCondition([`${v} ${operator} ${other}`, { v: { [`$v${operator}`]: other } }, { v }, expected]),
        ),
      ),
    feature: cases.feature?.map(([name, context, key, { source, ...expected }]) => ({
      name,
      context,
      key,
      // A flag that depends on itself is refused when it is written, so that there is none.
      expected: source === 'cyclicPrerequisite' ? expected : { ...expected, source },
    })),
    run: cases.run
      ?.filter(([, context, experiment]) => !isOfSdk(context) && !isOfSdk(experiment))
      .map(ofExperiment),
    inNamespace: cases.inNamespace?.map(([name, id, namespace, within]) => {
      const experiment = { variations: [0, 1], namespace };
      return ofExperiment([name, { attributes: { id } }, experiment, undefined, within, within]);
    }),
    stickyBucket: cases.stickyBucket?.map(([name, context, key, expected, after]) => ({
      name,
      context,
      key,
      expected: {
        value: expected === null ? (context.features?.[key]?.defaultValue as unknown) : expected['value'],
      },
      sticky: { before: (context['stickyBucketAssignmentDocs'] ?? {}) as Documents, after },
    })),
  };
}

function ofCondition([name, condition, attributes, expected, groups]: Cases['evalCondition'][number]): Case {
  const rule = { condition, force: true } as FeatureRule;
  const features = { condition: { defaultValue: false, rules: [rule] } };
  const context = { attributes, features, ...(groups === undefined ? {} : { savedGroups: groups }) };
  return { name, context, key: 'condition', expected: { value: expected } };
}

/** An experiment as the only rule of a flag; who is outside gets the default value. */
function ofExperiment([name, context, experiment, value, within]: Cases['run'][number]): Case {
  const outside = { outside: true };
  const rules = [experiment as FeatureRule];
  const features = { ...context.features, experiment: { defaultValue: outside, rules } };
  const expected = !within ? { value: outside } : value === undefined ? { source: 'experiment' } : { value };
  return { name, context: { ...context, features }, key: 'experiment', expected };
}

type Api = Awaited<ReturnType<typeof openApi>>;

async function openApi(folder: string, port: number) {
  const url = `http://127.0.0.1:${port}`;
  const installation = { folder, port, settings: {} };
  let portico = await startPortico(installation);
  const token = newToken(installation, 'FLAGS_READ,FLAGS_WRITE,SETTINGS_WRITE');
  const call = <T>(method: string, path: string, body?: Json) => callAt<T>(url, token, method, path, body);

  const { clientKeys } = await call<{
    clientKeys: { key: string; kind: string; name: string; version: number }[];
  }>('GET', '/v1/settings/client-keys');
  const [plain, remote] = ['plain', 'remote-eval'].map((kind) => clientKeys.find((key) => key.kind === kind));
  must(plain !== undefined && remote !== undefined, 'There is no client key of each kind.');
  return {
    url,
    call,
    plain: plain.key,
    remote: remote.key,
    stop: () => portico.program.stop(),
    async keepVariations() {
      const { name, version } = remote;
      const body = { name, version, stickyBuckets: true };
      await call('PUT', `/v1/settings/client-keys/${remote.key}`, body);
    },
    /** Does something to the database between two starts: a running server remembers, and writes later. */
    async between<T>(work: (rows: Portico['rows']) => T): Promise<T> {
      await portico.program.stop();
      const done = work(portico.rows);
      portico = await startPortico(installation);
      return done;
    },
  };
}

/** What a case says and Portico does not answer, in words; empty: it is as the case says. */
async function differences(api: Api, { context, key, expected, sticky }: Case): Promise<string> {
  const refused = await replaceFlags(api, context);
  if (refused !== '') return refused;
  if (sticky !== undefined)
    await api.between((rows) => {
      rows('delete from sticky_bucket');
      for (const [id, { attributeValue, assignments }] of Object.entries(sticky.before)) {
        const values = [id, attributeValue, JSON.stringify(assignments)].map(quoted);
        rows(`insert into sticky_bucket values (${values.join()}, ${Date.now()})`);
      }
    });
  const { attributes = {}, forcedVariations = {} } = context;
  const answer = await fetch(`${api.url}/api/eval/${api.remote}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ attributes, forcedVariations, forcedFeatures: [], url: '' }),
  });
  if (!answer.ok) return `remote evaluation answered ${answer.status}: ${await answer.text()}`;
  const evaluated = (await answer.json()) as { features: FeatureDefinitions };
  const wrong = [wrongIn('evaluated here', valueOnly(expected), evaluate(context, evaluated, key))];
  if (sticky === undefined) {
    const payload = await fetch(`${api.url}/api/features/${api.plain}`);
    const plain = (await payload.json()) as { features: FeatureDefinitions };
    wrong.push(wrongIn('evaluated by the SDK', expected, evaluate(context, plain, key)));
  } else {
    const kept = await api.between((rows) => rows('select key, assignments from sticky_bucket'));
    const found = kept.map(
      (row) => [String(row['key']), JSON.parse(String(row['assignments'])) as unknown] as const,
    );
    const due = Object.entries(sticky.after).map(([id, { assignments }]) => [id, assignments]);
    wrong.push(wrongIn('kept', { all: Object.fromEntries(due) }, { all: Object.fromEntries(found) }));
  }
  return wrong.filter((each) => each !== '').join('; ');
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** Only where it comes from is another matter: an evaluated answer has no experiments of its own. */
function valueOnly({ value, ...others }: Json): Json {
  return value === undefined ? ('source' in others ? {} : others) : { value };
}

function evaluate(context: Context, payload: Json & { features: FeatureDefinitions }, key: string): Json {
  const {
    features: _features,
    stickyBucketAssignmentDocs: _documents,
    savedGroups: _groups,
    ...rest
  } = context;
  const client = new GrowthBook(rest);
  client.initSync({ payload });
  const result = client.evalFeature(key) as unknown as Json;
  client.destroy();
  // What the case's file was written down with.
  return JSON.parse(JSON.stringify(result)) as Json;
}

function wrongIn(where: string, expected: Json, found: Json): string {
  const wrong = Object.keys(expected).filter((name) => !isDeepStrictEqual(expected[name], found[name]));
  return wrong
    .map(
      (name) => `${where}: ${name} is ${JSON.stringify(found[name])}, not ${JSON.stringify(expected[name])}`,
    )
    .join('; ');
}

/** Leaves only the flags of the case turned on; answers why one of them is not taken as it stands. */
async function replaceFlags({ call }: Api, { features = {}, savedGroups }: Context): Promise<string> {
  const { flags } = await call<{ flags: { key: string; enabled: boolean; version: number }[] }>(
    'GET',
    '/v1/flags',
  );
  for (const { key, enabled, version } of flags) {
    if (enabled === key in features) continue;
    const affected = flags.map((flag) => flag.key);
    await call('PUT', `/v1/flags/${key}/enabled`, { enabled: !enabled, version, affected });
  }
  if (Object.keys(features).length === 0) return '';
  const document = JSON.stringify({ features, ...(savedGroups === undefined ? {} : { savedGroups }) });
  const preview = await call<{ unmapped: { name: string; reason: string; detail: string }[]; basis: string }>(
    'POST',
    '/v1/flag-import/preview',
    { document },
  );
  await call('POST', '/v1/flag-import', { document, basis: preview.basis });
  const refused = preview.unmapped.filter(({ detail }) => !detail.endsWith('depends on this flag itself'));
  return refused.map(({ name, reason, detail }) => `${name} is refused (${reason}: ${detail})`).join('; ');
}
