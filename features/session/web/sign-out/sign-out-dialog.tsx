import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Problem } from '#web/ui/notice.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { retainedDraftsDays, type SigningOut, type ToLose } from './signing-out.ts';

type SignOutDialogProps = { lost: ToLose; signingOut: SigningOut; onClose: () => void };

/** Asks once for all tabs whether unsaved work is stored or discarded. */
export function SignOutDialog({ lost, signingOut, onClose }: SignOutDialogProps) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState<'keep' | 'discard' | null>(null);
  const [error, setError] = useState<string | null>(null);
  const report = t('SHELL.REPORT_BUG.TRIGGER');
  const rows = [
    ...lost.here.map((place) => ({ ...place, tab: t('SIGN_OUT.HERE') })),
    ...lost.others.flatMap(({ places }) =>
      places.map((place) => ({ ...place, tab: t('SIGN_OUT.ELSEWHERE') })),
    ),
  ].map(({ what, work, tab }) => ({ what, tab, isStorable: work !== null }));
  if (lost.report) rows.push({ what: report, tab: t('SIGN_OUT.ALL_TABS'), isStorable: true });
  const canRetain = signingOut.canRetain && rows.some(({ isStorable }) => isStorable);

  async function retain(): Promise<void> {
    setBusy('keep');
    setError(null);
    try {
      await signingOut.retain(report);
    } catch (failure) {
      setError(`${t('SIGN_OUT.NOT_KEPT')} ${problemText(t, failure)}`);
      setBusy(null);
    }
  }

  return (
    <Dialog
      title={t('SIGN_OUT.TITLE')}
      busy={busy !== null}
      onClose={onClose}
      footer={
        <>
          <Button tone="quiet" disabled={busy !== null} data-autofocus="" onClick={onClose}>
            {t('SIGN_OUT.BACK')}
          </Button>
          <Button
            tone="danger"
            busy={busy === 'discard'}
            disabled={busy === 'keep'}
            onClick={() => {
              setBusy('discard');
              void signingOut.discard();
            }}
          >
            {t('SIGN_OUT.DISCARD')}
          </Button>
          {canRetain ? (
            <Button
              tone="primary"
              busy={busy === 'keep'}
              disabled={busy === 'discard'}
              onClick={() => void retain()}
            >
              {t('SIGN_OUT.KEEP')}
            </Button>
          ) : null}
        </>
      }
    >
      {rows.length === 0 ? null : <p>{t('SIGN_OUT.UNSAVED')}</p>}
      <ul className="stack gap-1 breaks">
        {rows.map(({ what, tab, isStorable }, index) => (
          <li key={`${index} ${what}`}>
            <strong>{what}</strong> <span className="muted">{tab}</span>
            {canRetain && !isStorable ? (
              <>
                {' '}
                <Tag>{t('SIGN_OUT.CANNOT_KEEP')}</Tag>
              </>
            ) : null}
          </li>
        ))}
      </ul>
      {lost.silent > 0 ? <p>{t('SIGN_OUT.SILENT', { count: lost.silent })}</p> : null}
      <p className="muted">
        {canRetain
          ? t('SIGN_OUT.KEPT_TEXT', { days: retainedDraftsDays })
          : signingOut.canRetain
            ? t('SIGN_OUT.NOTHING_TO_KEEP')
            : t('SIGN_OUT.CANNOT_ENCRYPT')}
      </p>
      <Problem>{error}</Problem>
    </Dialog>
  );
}
