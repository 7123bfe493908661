import type { ClientKey } from '#features/flags/contract/flags.ts';

/** GrowthBook's own SDK first, then OpenFeature's by OFREP, in the words of their makers. */
export const sdkNames = [
  'GrowthBook',
  'OpenFeature Node.js',
  'OpenFeature Web',
  'OpenFeature Python',
  'curl',
] as const;

/** Code that reads a flag with a client key; what is from npm is executed by `e2e/sdk-code.spec.ts`. */
export function sdkSnippets(
  apiHost: string,
  { key, kind, decryptionKey }: Omit<ClientKey, 'name' | 'stickyBuckets'>,
): Record<(typeof sdkNames)[number], string> {
  const isPersonal = kind === 'personal';
  const options = [
    `apiHost: '${apiHost}',`,
    `clientKey: '${key}',`,
    ...(decryptionKey === null ? [] : [`decryptionKey: '${decryptionKey}',`]),
    ...(kind === 'remote-eval' ? ['remoteEval: true,'] : []),
    isPersonal
      ? 'apiHostRequestHeaders: { Authorization: `Bearer ${accessToken}` },'
      : "attributes: { id: '…' },",
  ];
  const provider = `{
    baseUrl: '${apiHost}',
    headers: [['X-API-Key', '${key}']${isPersonal ? ", ['Authorization', `Bearer ${accessToken}`]" : ''}],
  }`;
  return {
    GrowthBook: `import { GrowthBook } from '@growthbook/growthbook';

// Node.js: first setPolyfills({ EventSource }), of the package eventsource, or changes do not arrive.
const flags = new GrowthBook({
${options.map((line) => `  ${line}`).join('\n')}
});
await flags.init({ streaming: true });
flags.isOn('NEW_SEARCH');`,
    'OpenFeature Node.js': `import { OFREPProvider } from '@openfeature/ofrep-provider';\nimport { OpenFeature } from '@openfeature/server-sdk';

await OpenFeature.setProviderAndWait(
  new OFREPProvider(${provider}),
);
const flags = OpenFeature.getClient();
await flags.getBooleanValue('NEW_SEARCH', false, { targetingKey: '…' });`,
    'OpenFeature Web': `import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';\nimport { OpenFeature } from '@openfeature/web-sdk';

await OpenFeature.setContext({ targetingKey: '…' });
await OpenFeature.setProviderAndWait(
  new OFREPWebProvider(${provider}),
);
const flags = OpenFeature.getClient();
flags.getBooleanValue('NEW_SEARCH', false);`,
    'OpenFeature Python': `# pip install openfeature-provider-ofrep
from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext

headers = {"X-API-Key": "${key}"${isPersonal ? ', "Authorization": f"Bearer {access_token}"' : ''}}
api.set_provider(OFREPProvider("${apiHost}", headers_factory=lambda: headers))
flags = api.get_client()
flags.get_boolean_value("NEW_SEARCH", False, EvaluationContext("…"))`,
    curl: `curl ${apiHost}/ofrep/v1/evaluate/flags/NEW_SEARCH \\
  -H 'X-API-Key: ${key}' \\${isPersonal ? '\n  -H "Authorization: Bearer $ACCESS_TOKEN" \\' : ''}
  -H 'Content-Type: application/json' \\
  -d '{"context": {"targetingKey": "…"}}'`,
  };
}
