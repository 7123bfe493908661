import { erasePerson, type ErasurePreview } from '#features/erasure/contract/erasure.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { UpLink } from '#web/app/detail-page.tsx';
import { isFirstLoad, retryProps, useAddressFilter } from '#web/platform/lists/list-state.ts';
import { useApi, useFormats } from '#web/platform/contexts.tsx';
import { namedPerson } from '#web/platform/named-person.ts';
import { ProblemError } from '#web/platform/calls/problem-error.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, LeaveButton } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { Notice, Problem } from '#web/ui/notice.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import { ErrorState, Skeleton } from '#web/ui/states.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { DownloadData } from './download-data.tsx';
import { previewQuery } from './retention-section.tsx';
import './erasure.css';

/** The data stored about one person: to download, and to erase. */
export function PersonDataScreen() {
  const { t } = useTranslation();
  const formats = useFormats();
  const navigate = useNavigate();
  const { personId = '' }: { personId?: string } = useParams({ strict: false });
  // Opened from the menu of the person's page, this screen asks for the erasure at once.
  const [{ erase }] = useAddressFilter(['erase']);
  const [erasing, setErasing] = useState(erase !== '');
  const preview = useQuery(previewQuery(personId));
  const found = preview.data;
  const again = retryProps(t, preview);
  const gone = preview.error instanceof ProblemError && preview.error.status === 404;
  const name = found && namedPerson(t, { id: personId, ...found });
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
    <div className="person-data stack gap-4">
      <UpLink to={gone ? '/people' : '/people/$personId'} params={{ personId }}>
        {gone ? t('ERASURE.UP') : (name ?? t('ERASURE.UP_PERSON'))}
      </UpLink>
      <header>
        <h1 className="narrow-unseen" tabIndex={-1}>
          {t('PAGES.PERSON_DATA')}
        </h1>
        {found === undefined ? null : (
          <p className="muted" dir="auto">
            {[...new Set([name, found.email])].filter(Boolean).join(' · ')}
          </p>
        )}
      </header>
      {isFirstLoad(preview) ? (
        <Skeleton label={t('COMMON.LOADING')} kind="text" count={6} />
      ) : found === undefined ? (
        <ErrorState title={t('ERASURE.FAILED.TITLE')} {...(gone ? { detail: again.detail } : again)}>
          {gone ? t('ERASURE.FAILED.GONE') : t('COMMON.FAILED.TEXT')}
        </ErrorState>
      ) : (
        <>
          <section className="section" aria-labelledby="person-data-export">
            <h2 id="person-data-export">{t('ERASURE.EXPORT.TITLE')}</h2>
            <p>{t('ERASURE.EXPORT.TEXT')}</p>
            <dl className="facts">
              {figures.map(({ key, count }) => (
                <div key={key}>
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

type EraseDialogProps = {
  personId: string;
  preview: ErasurePreview;
  onClose: () => void;
  onErased: () => void;
};

/** Lists what is erased and what stays, and takes the person's address as confirmation. */
function EraseDialog({ personId, preview, onClose, onErased }: EraseDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const formats = useFormats();
  const queries = useQueryClient();
  const [typed, setTyped] = useState('');
  const [mistyped, setMistyped] = useState(false);
  const { confirmation } = preview;
  const keepsReports = preview.erasedReports === 'keep';
  const name = namedPerson(t, { id: personId, ...preview });
  const erase = useMutation({
    mutationFn: () =>
      api.call(erasePerson, {
        params: { personId },
        body: { confirmation: typed, reports: preview.erasedReports },
      }),
    async onSuccess({ pseudonym, finished }) {
      notify({
        kind: 'success',
        title: t('ERASURE.DIALOG.DONE', { name }),
        content: t(finished ? 'ERASURE.DIALOG.DONE_TEXT' : 'ERASURE.DIALOG.UNFINISHED', { pseudonym }),
      });
      queries.removeQueries({ queryKey: ['erasure', personId] });
      onErased();
      await queries.invalidateQueries({ queryKey: ['people'] });
    },
    async onError(error) {
      if (error instanceof ProblemError && error.status === 409)
        await queries.invalidateQueries({ queryKey: ['erasure', personId] });
    },
  });

  function submit(): void {
    const plain = (text: string) => text.normalize('NFC').trim().toLowerCase();
    const wrong = plain(typed) !== plain(confirmation);
    setMistyped(wrong);
    if (!wrong) erase.mutate();
  }

  const own = [
    preview.reports > 0 && !keepsReports ? t('ERASURE.COUNTED.REPORTS', { count: preview.reports }) : null,
    preview.pictures > 0 ? t('ERASURE.COUNTED.PICTURES', { count: preview.pictures }) : null,
    preview.files > 0 ? t('ERASURE.COUNTED.FILES', { count: preview.files }) : null,
    preview.apiTokens > 0 ? t('ERASURE.COUNTED.API_TOKENS', { count: preview.apiTokens }) : null,
  ].filter((part) => part !== null);

  return (
    <Dialog
      title={t('ERASURE.DIALOG.TITLE', { name })}
      busy={erase.isPending}
      onClose={onClose}
      typed={typed !== ''}
      onSubmit={submit}
      footer={
        <>
          <LeaveButton tone="quiet">{t('COMMON.CANCEL')}</LeaveButton>
          <Button tone="danger-primary" type="submit" busy={erase.isPending}>
            {t('ERASURE.DIALOG.ACTION')}
          </Button>
        </>
      }
    >
      <div className="erase-dialog stack gap-4 breaks">
        <div>
          <h3>{t('ERASURE.DIALOG.GOES')}</h3>
          <ul>
            <li>{t('ERASURE.DIALOG.ACCOUNT')}</li>
            {own.length > 0 ? <li>{formats.list(own)}</li> : null}
          </ul>
        </div>
        <div>
          <h3>{t('ERASURE.DIALOG.STAYS')}</h3>
          <ul>
            {keepsReports && preview.reports > 0 ? (
              <li>{t('ERASURE.COUNTED.KEPT', { count: preview.reports })}</li>
            ) : null}
            <li>{t('ERASURE.DIALOG.DEEDS', { count: preview.auditEntries })}</li>
            {preview.flags.length > 0 ? (
              <li>{t('ERASURE.DIALOG.FLAGS', { flags: formats.list(preview.flags) })}</li>
            ) : null}
          </ul>
        </div>
        <Notice severity="medium">{t('ERASURE.DIALOG.FOR_GOOD')}</Notice>
        <Field
          label={t('ERASURE.DIALOG.TYPE', { confirmation })}
          error={mistyped ? t('ERASURE.DIALOG.MISTYPED', { confirmation }) : undefined}
        >
          {(field) => (
            <TextInput
              {...field}
              value={typed}
              onValue={setTyped}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={254}
            />
          )}
        </Field>
        <Problem>{erase.isError ? problemText(t, erase.error) : null}</Problem>
      </div>
    </Dialog>
  );
}
