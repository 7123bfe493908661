import { clientKeyKind, listClientKeys, type ClientKey } from '#features/flags/contract/flags.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { routeQuery } from '#web/platform/calls/route-query.ts';
import { detailState } from '#web/platform/lists/list-state.ts';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { DetailFrame } from '#web/ui/detail-frame.tsx';
import { SdkCode } from '../sdk-code.tsx';
import { flagsKey } from './flags-query.ts';

/** What a GrowthBook SDK needs to read the flags: the host and a key. */
export function ConnectDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const keys = useQuery(routeQuery([...flagsKey, 'client-keys'], listClientKeys, {}));
  const plain = keys.data?.clientKeys.find((key) => key.kind === 'plain');
  return (
    <Dialog kind="wide" title={t('FLAGS.CONNECT.TITLE')} onClose={onClose}>
      <p>{t('FLAGS.CONNECT.LEAD')}</p>
      <DetailFrame texts="FLAGS" {...detailState(t, keys)}>
        {keys.data === undefined ? null : (
          <>
            <dl className="facts flag-keys">
              <dt>{t('FLAGS.CONNECT.HOST')}</dt>
              <dd>
                <Copyable text={keys.data.apiHost} what={t('FLAGS.CONNECT.HOST')} />
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
            <SdkCode
              title={t('FLAGS.CONNECT.EXAMPLE')}
              copy={t('FLAGS.CONNECT.COPY_CODE')}
              apiHost={keys.data.apiHost}
              clientKey={plain ?? { key: '', kind: 'plain', decryptionKey: null }}
            />
          </>
        )}
      </DetailFrame>
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
        <Copyable text={value} what={label} />
        <small className="flag-description muted line">{hint}</small>
      </dd>
    </>
  );
}

function Copyable({ text, what }: { text: string; what: string }) {
  const { t } = useTranslation();
  return (
    <span className="row wrap gap-2-3">
      <code>{text}</code>
      <CopyButton bare text={text} label={t('FLAGS.CONNECT.COPY', { what })} />
    </span>
  );
}
