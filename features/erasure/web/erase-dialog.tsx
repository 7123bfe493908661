import { erasePerson, type ErasurePreview } from '#features/erasure/contract/erasure.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '#web/platform/contexts.tsx';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { namedPerson } from '#web/platform/named-person.ts';
import { ProblemError } from '#web/platform/calls/problem-error.ts';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, LeaveButton } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import { TextInput } from '#web/ui/text-input.tsx';
import './erasure.css';

type EraseDialogProps = {
  personId: string;
  preview: ErasurePreview;
  onClose: () => void;
  onErased: () => void;
};

/** Lists what is erased and what stays, and takes the person's address as confirmation. */
export function EraseDialog({ personId, preview, onClose, onErased }: EraseDialogProps) {
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
      open
      title={t('ERASURE.DIALOG.TITLE', { name })}
      closeLabel={t('COMMON.CLOSE')}
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
      <div className="erase-dialog">
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
        {erase.isError ? (
          <Notice severity="high" role="alert">
            {problemText(t, erase.error)}
          </Notice>
        ) : null}
      </div>
    </Dialog>
  );
}
