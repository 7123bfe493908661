import type { ClientKeyKind } from '#features/flags/contract/flags.ts';

/** Code that reads flags with a GrowthBook SDK and this key. */
export function snippet(apiHost: string, clientKey: string, kind: ClientKeyKind): string {
  const options = [
    `apiHost: '${apiHost}',`,
    `clientKey: '${clientKey}',`,
    ...(kind === 'remote-eval' ? ['remoteEval: true,'] : []),
    ...(kind === 'personal'
      ? ['apiHostRequestHeaders: { Authorization: `Bearer ${accessToken}` },']
      : ["attributes: { id: '…' },"]),
  ];
  return `import { GrowthBook } from '@growthbook/growthbook';

const flags = new GrowthBook({
${options.map((line) => `  ${line}`).join('\n')}
});
await flags.init({ streaming: true });
flags.isOn('NEW_SEARCH');`;
}
