import { clientKeyKind, type ClientKey } from '@portico/contract/flags';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { askAgain } from '../../../platform/calls/ask-again.ts';
import { useApi } from '../../../platform/contexts.tsx';
import { catalogueKey } from '../../../platform/i18n/catalogue-key.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { clientKeysQuery } from './flags-query.ts';

/** What a GrowthBook SDK needs to read the flags: the host and a key. */
export function ConnectDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const api = useApi();
  const keys = useQuery(clientKeysQuery(api));
  return (
    <Dialog
      open
      kind="wide"
      title={t('FLAGS.CONNECT.TITLE')}
      closeLabel={t('COMMON.CLOSE')}
      onClose={onClose}
    >
      <p>{t('FLAGS.CONNECT.LEAD')}</p>
      {keys.isPending ? (
        <Skeleton label={t('FLAGS.LOADING')} count={5} />
      ) : keys.data === undefined ? (
        <ErrorState title={t('FLAGS.FAILED.TITLE')} retry={askAgain(t, keys).retry}>
          {t('FLAGS.FAILED.TEXT')}
        </ErrorState>
      ) : (
        <>
          <dl className="facts flag-keys">
            <dt>{t('FLAGS.CONNECT.HOST')}</dt>
            <dd>
              <code>{keys.data.apiHost}</code>
            </dd>
            {keys.data.clientKeys.toSorted(byKind).map((key) => (
              <KeyFact
                key={key.key}
                label={t(`FLAGS.CONNECT.KINDS.${catalogueKey(key.kind)}.LABEL`)}
                hint={t(`FLAGS.CONNECT.KINDS.${catalogueKey(key.kind)}.HINT`)}
                value={key.key}
              />
            ))}
          </dl>
          <h3>{t('FLAGS.CONNECT.EXAMPLE')}</h3>
          <pre className="flag-snippet">
            {snippet(keys.data.apiHost, keys.data.clientKeys.find((key) => key.kind === 'plain')?.key ?? '')}
          </pre>
        </>
      )}
    </Dialog>
  );
}

/** The most common kind first. */
function byKind(a: ClientKey, b: ClientKey): number {
  return clientKeyKind.options.indexOf(a.kind) - clientKeyKind.options.indexOf(b.kind);
}

function KeyFact({ label, hint, value }: { label: string; hint: string; value: string }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>
        <code>{value}</code>
        <small className="muted flag-description">{hint}</small>
      </dd>
    </>
  );
}

function snippet(apiHost: string, clientKey: string): string {
  return `import { GrowthBook } from '@growthbook/growthbook';

const flags = new GrowthBook({
  apiHost: '${apiHost}',
  clientKey: '${clientKey}',
  attributes: { id: '…' },
});
await flags.init({ streaming: true });
flags.isOn('NEW_SEARCH');`;
}
