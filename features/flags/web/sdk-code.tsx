import type { ClientKey } from '#features/flags/contract/flags.ts';
import { useState } from 'react';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Tabs } from '#web/ui/tabs.tsx';

/** GrowthBook's own SDK first, then OpenFeature's by OFREP, in the words of their makers. */
const sdkNames = [
  'GrowthBook',
  'OpenFeature Node.js',
  'OpenFeature Web',
  'OpenFeature Python',
  'curl',
] as const;

type SdkCodeProps = {
  title: string;
  copy: string;
  apiHost: string;
  clientKey: Omit<ClientKey, 'name' | 'stickyBuckets'>;
};

/** Shows the code that reads flags with a client key, for a chosen SDK. */
export function SdkCode({ title, copy, apiHost, clientKey }: SdkCodeProps) {
  const [sdk, setSdk] = useState<(typeof sdkNames)[number]>(sdkNames[0]);
  const code = sdkSnippets(apiHost, clientKey)[sdk];
  return (
    <section className="section section-divided">
      <h3>{title}</h3>
      <Tabs
        label={title}
        tabs={sdkNames.map((name) => ({ key: name, label: name }))}
        chosen={sdk}
        onChoose={setSdk}
      >
        <pre className="code-block">{code}</pre>
      </Tabs>
      <CopyButton text={code} label={copy} />
    </section>
  );
}

/** Code that reads a flag with a client key; `e2e/sdk-code.spec.ts` executes the code for npm packages. */
function sdkSnippets(
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
