import { exportPerson } from '#features/erasure/contract/erasure.ts';
import { useTranslation } from 'react-i18next';
import { useApi, useFormats } from '#web/platform/contexts.tsx';
import { readProblemText } from '#web/platform/calls/problem-text.ts';
import { useDownload } from '#web/platform/files/use-download.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import './erasure.css';
import '#web/ui/screen.css';

/** The data stored about the signed-in person, to download. */
export function OwnData() {
  const { t } = useTranslation();
  return (
    <section className="section section-divided" aria-labelledby="own-data">
      <div>
        <h2 id="own-data">{t('ERASURE.OWN.TITLE')}</h2>
        <p className="muted">{t('ERASURE.OWN.TEXT')}</p>
      </div>
      <DownloadData userId="current" label={t('ERASURE.OWN.ACTION')} />
    </section>
  );
}

const megabyte = 1_000_000;

type DownloadDataProps = {
  /** `current`, or an id. */
  userId: string;
  label: string;
};

/** Saves everything that is stored about a person as one file, and shows the progress. */
export function DownloadData({ userId, label }: DownloadDataProps) {
  const { t } = useTranslation();
  const api = useApi();
  const formats = useFormats();
  const { saving, received, cancel } = useDownload<'zip'>('portico-data', (_, options) =>
    api.download(exportPerson, { params: { userId } }, options),
  );
  return (
    <div className="stack gap-2 to-start">
      <Button icon="download" busy={saving.isPending} onClick={() => saving.mutate('zip')}>
        {label}
      </Button>
      <div role="status" className={saving.isIdle ? 'visually-hidden' : undefined}>
        {saving.isPending ? (
          <p className="row wrap muted">
            <span>
              {t('ERASURE.DOWNLOAD.PROGRESS', { size: formats.number(Math.floor(received / megabyte)) })}
            </span>
            <Button small tone="quiet" onClick={cancel}>
              {t('COMMON.CANCEL')}
            </Button>
          </p>
        ) : saving.data === 'saved' ? (
          <p className="row wrap muted">{t('ERASURE.DOWNLOAD.DONE')}</p>
        ) : null}
      </div>
      {saving.isError ? (
        <Notice severity="high" role="alert" title={t('ERASURE.DOWNLOAD.FAILED')}>
          {readProblemText(t, saving.error)}
        </Notice>
      ) : null}
    </div>
  );
}
