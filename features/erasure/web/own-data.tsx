import { useTranslation } from 'react-i18next';
import { DownloadData } from './download-data.tsx';
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
