import type { ClientKey } from '#features/flags/contract/flags.ts';
import { useState } from 'react';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { sdkNames, sdkSnippets } from './sdk-snippets.ts';

type SdkCodeProps = {
  title: string;
  copy: string;
  apiHost: string;
  clientKey: Omit<ClientKey, 'name' | 'stickyBuckets'>;
};

/** The lines that read flags with a client key, for one of the usual SDKs. */
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
