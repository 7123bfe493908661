import { mostRetentionDays, type Retention, setRetention } from '@portico/contract/erasure';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { askAgain } from '../../platform/ask-again.ts';
import { useApi } from '../../platform/contexts.tsx';
import { HistoryLink } from '../../platform/history-link.tsx';
import { useFormats } from '../../platform/i18n/formats-context.tsx';
import { problemText } from '../../platform/problem-text.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { notify } from '../../ui/notifications/notifications.ts';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { Checkbox, Select, TextInput } from '../../ui/text-input.tsx';
import { retentionKey, retentionQuery } from './erasure-queries.ts';
import '../../ui/screen.css';
import './erasure.css';

/** How long reports are kept, and what becomes of those of people who are erased. */
export function RetentionScreen() {
  const { t } = useTranslation();
  const retention = useQuery(retentionQuery(useApi()));
  return (
    <div className="person-data">
      <header>
        <Link to="/settings" className="screen-up">
          <Icon name="chevron-left" size={14} />
          {t('SETTINGS.TITLE')}
        </Link>
        <h1 tabIndex={-1}>{t('ERASURE.RETENTION.TITLE')}</h1>
        <p className="muted">{t('ERASURE.RETENTION.LEAD')}</p>
      </header>
      {retention.isPending ? (
        <Skeleton label={t('COMMON.LOADING')} kind="text" count={4} />
      ) : retention.data === undefined ? (
        <ErrorState title={t('ERASURE.RETENTION.FAILED')} {...askAgain(t, retention)}>
          {t('ERASURE.FAILED.TEXT')}
        </ErrorState>
      ) : (
        <>
          <RetentionForm key={retention.data.version} retention={retention.data} />
          <HistoryLink subject="reports" />
        </>
      )}
    </div>
  );
}

function RetentionForm({ retention }: { retention: Retention }) {
  const { t } = useTranslation();
  const api = useApi();
  const formats = useFormats();
  const queries = useQueryClient();
  const [limited, setLimited] = useState(retention.reportDays !== null);
  const [days, setDays] = useState(String(retention.reportDays ?? 365));
  const [fate, setFate] = useState(retention.erasedReports);
  const [wrong, setWrong] = useState(false);
  const number = Number(days);
  const known = Number.isInteger(number) && number >= 1 && number <= mostRetentionDays;
  const save = useMutation({
    mutationFn: () =>
      api.call(setRetention, {
        body: { reportDays: limited ? number : null, erasedReports: fate, version: retention.version },
      }),
    onSuccess(saved) {
      queries.setQueryData(retentionKey, saved);
      notify({ kind: 'success', title: t('ERASURE.RETENTION.SAVED') });
    },
  });

  return (
    <form
      className="section retention-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setWrong(limited && !known);
        if (!save.isPending && (!limited || known)) save.mutate();
      }}
    >
      <Checkbox label={t('ERASURE.RETENTION.LIMITED')} checked={limited} onChecked={setLimited} />
      {limited ? (
        <Field
          label={t('ERASURE.RETENTION.DAYS')}
          hint={t('ERASURE.RETENTION.DAYS_HINT')}
          error={
            wrong ? t('ERASURE.RETENTION.WRONG_DAYS', { most: formats.number(mostRetentionDays) }) : undefined
          }
        >
          {(field) => (
            <TextInput {...field} inputMode="numeric" value={days} onValue={setDays} maxLength={6} />
          )}
        </Field>
      ) : null}
      <Field label={t('ERASURE.RETENTION.ERASED')}>
        {(field) => (
          <Select
            {...field}
            value={fate}
            onValue={setFate}
            options={[
              { value: 'keep', label: t('ERASURE.RETENTION.KEEP') },
              { value: 'remove', label: t('ERASURE.RETENTION.REMOVE') },
            ]}
          />
        )}
      </Field>
      {limited && known && (retention.reportDays === null || number < retention.reportDays) ? (
        <Notice severity="medium">{t('ERASURE.RETENTION.EFFECT', { count: number })}</Notice>
      ) : null}
      {save.isError ? (
        <Notice severity="high" role="alert">
          {problemText(t, save.error)}
        </Notice>
      ) : null}
      <div>
        <Button tone="primary" type="submit" busy={save.isPending}>
          {t('ERASURE.RETENTION.SAVE')}
        </Button>
      </div>
    </form>
  );
}
