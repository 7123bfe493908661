import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { retryProps } from '#web/platform/calls/retry-props.ts';
import { useApi } from '#web/platform/contexts.tsx';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { namedPerson } from '#web/platform/named-person.ts';
import { useAddressFilter } from '#web/platform/lists/address-filter.ts';
import { ProblemError } from '#web/platform/calls/problem-error.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { ErrorState, Skeleton } from '#web/ui/states.tsx';
import { DownloadData } from './download-data.tsx';
import { EraseDialog } from './erase-dialog.tsx';
import { previewQuery } from './erasure-queries.ts';
import '#web/ui/screen.css';
import './erasure.css';

/** The data stored about one person: to download, and to erase. */
export function PersonDataScreen() {
  const { t } = useTranslation();
  const api = useApi();
  const formats = useFormats();
  const navigate = useNavigate();
  const { personId = '' }: { personId?: string } = useParams({ strict: false });
  // From the menu of the person's page the question is asked at once.
  const [{ erase }] = useAddressFilter(['erase']);
  const [erasing, setErasing] = useState(erase !== '');
  const preview = useQuery(previewQuery(api, personId));
  const found = preview.data;
  const again = retryProps(t, preview);
  const gone = preview.error instanceof ProblemError && preview.error.status === 404;
  const figures =
    found === undefined
      ? []
      : [
          { key: 'REPORTS', count: found.reports },
          { key: 'PICTURES', count: found.pictures },
          { key: 'FILES', count: found.files },
          { key: 'SESSIONS', count: found.sessions },
          { key: 'API_TOKENS', count: found.apiTokens },
          { key: 'AUDIT_ENTRIES', count: found.auditEntries },
        ];

  return (
    <div className="person-data">
      <header>
        <Link to={gone ? '/people' : '/people/$personId'} params={{ personId }} className="screen-up">
          <Icon name="chevron-left" size={14} />
          {t(gone ? 'ERASURE.UP' : 'ERASURE.UP_PERSON')}
        </Link>
        <h1 tabIndex={-1}>{t('ERASURE.TITLE')}</h1>
        {found === undefined ? null : (
          <p className="muted" dir="auto">
            {[...new Set([namedPerson(t, { id: personId, ...found }), found.email])]
              .filter(Boolean)
              .join(' · ')}
          </p>
        )}
      </header>
      {preview.isPending ? (
        <Skeleton label={t('COMMON.LOADING')} kind="text" count={6} />
      ) : found === undefined ? (
        <ErrorState title={t('ERASURE.FAILED.TITLE')} {...(gone ? { detail: again.detail } : again)}>
          {gone ? t('ERASURE.FAILED.GONE') : t('ERASURE.FAILED.TEXT')}
        </ErrorState>
      ) : (
        <>
          <section className="section" aria-labelledby="person-data-export">
            <h2 id="person-data-export">{t('ERASURE.EXPORT.TITLE')}</h2>
            <p>{t('ERASURE.EXPORT.TEXT')}</p>
            <dl className="facts">
              {figures.map(({ key, count }) => (
                <div key={key} className="person-data-fact">
                  <dt>{t(`ERASURE.FIGURES.${key}`)}</dt>
                  <dd>{formats.number(count)}</dd>
                </div>
              ))}
            </dl>
            <DownloadData userId={personId} label={t('ERASURE.EXPORT.ACTION')} />
          </section>
          <section className="section" aria-labelledby="person-data-erase">
            <h2 id="person-data-erase">{t('ERASURE.ERASE.TITLE')}</h2>
            <p>{t('ERASURE.ERASE.TEXT')}</p>
            {found.hindrance === null ? (
              <div>
                <Button tone="danger" icon="trash" onClick={() => setErasing(true)}>
                  {t('ERASURE.ERASE.OPEN')}
                </Button>
              </div>
            ) : (
              <Notice severity="info">
                {found.hindrance === 'yourself' ? t('ERASURE.ERASE.YOURSELF') : t('ERASURE.ERASE.LAST')}
              </Notice>
            )}
          </section>
          {erasing && found.hindrance === null ? (
            <EraseDialog
              personId={personId}
              preview={found}
              onClose={() => setErasing(false)}
              onErased={() => void navigate({ to: '/people' })}
            />
          ) : null}
        </>
      )}
    </div>
  );
}
