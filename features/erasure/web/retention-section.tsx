import './erasure.css';
import {
  getRetention,
  mostRetentionDays,
  previewErasure,
  type Retention,
  setRetention,
} from '#features/erasure/contract/erasure.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SettingsForm, SettingsSection, useSettingsForm } from '#features/settings/web/settings-form.tsx';
import { useApi, useCan, useFormats } from '#web/platform/contexts.tsx';
import { Field } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Checkbox, Select, TextInput } from '#web/ui/text-input.tsx';
import { routeQuery } from '#web/platform/calls/route-query.ts';
import { Link } from '@tanstack/react-router';

/**
 * What an erasure would remove and leave; loaded again each time, since it changes with everything that the
 * person does.
 */
export const previewQuery = (personId: string) => ({
  ...routeQuery(['erasure', personId], previewErasure, { params: { personId } }),
  staleTime: 0,
});

const retentionKey = ['retention'] as const;

const retentionQuery = routeQuery(retentionKey, getRetention, {});

/** How long reports are stored, and what happens to those of erased people. */
export function RetentionSection() {
  const { t } = useTranslation();
  const retention = useQuery(retentionQuery);
  return (
    <SettingsSection
      id="report-retention"
      title={t('ERASURE.RETENTION.TITLE')}
      lead={t('ERASURE.RETENTION.LEAD')}
      divided
      settings={retention}
      history="reports"
    >
      {(settings) => <RetentionForm retention={settings} />}
    </SettingsSection>
  );
}

type Draft = { limited: boolean; days: string; fate: Retention['erasedReports'] };

function draftOf({ reportDays, erasedReports }: Retention): Draft {
  return { limited: reportDays !== null, days: String(reportDays ?? 365), fate: erasedReports };
}

function sameDraft(one: Draft, other: Draft): boolean {
  const sameDays = one.limited === other.limited && (!one.limited || one.days === other.days);
  return sameDays && one.fate === other.fate;
}

function RetentionForm({ retention }: { retention: Retention }) {
  const { t } = useTranslation();
  const api = useApi();
  const formats = useFormats();
  const [wrong, setWrong] = useState(false);
  const form = useSettingsForm({
    saved: { values: draftOf(retention), version: retention.version },
    same: sameDraft,
    save: (values, version) =>
      api.call(setRetention, {
        body: {
          reportDays: values.limited ? Number(values.days) : null,
          erasedReports: values.fate,
          version,
        },
      }),
    queryKey: retentionKey,
    notice: { title: t('ERASURE.RETENTION.SAVED') },
  });
  const { limited, days } = form.values;
  const number = Number(days);
  const known = Number.isInteger(number) && number >= 1 && number <= mostRetentionDays;

  return (
    <SettingsForm
      form={form}
      onSubmit={() => {
        setWrong(limited && !known);
        if (!limited || known) form.save();
      }}
    >
      <Checkbox label={t('ERASURE.RETENTION.LIMITED')} {...form.check('limited')} />
      {limited ? (
        <Field
          label={t('ERASURE.RETENTION.DAYS')}
          hint={t('ERASURE.RETENTION.DAYS_HINT')}
          error={
            wrong ? t('ERASURE.RETENTION.WRONG_DAYS', { most: formats.number(mostRetentionDays) }) : undefined
          }
        >
          {(field) => <TextInput {...field} inputMode="numeric" {...form.field('days')} maxLength={6} />}
        </Field>
      ) : null}
      <Field label={t('ERASURE.RETENTION.ERASED')}>
        {(field) => (
          <Select
            {...field}
            {...form.field('fate')}
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
    </SettingsForm>
  );
}

/** How long reports are stored, shown where they are read; with a link for people who may change it. */
export function RetentionLine() {
  const { t } = useTranslation();
  const mayWrite = useCan()('SETTINGS_WRITE');
  const { data } = useQuery(retentionQuery);
  return (
    <p className="above-2 muted small">
      {data === undefined
        ? ' '
        : data.reportDays === null
          ? t('ERASURE.RETENTION.FOR_GOOD')
          : t('ERASURE.RETENTION.KEPT', { count: data.reportDays })}{' '}
      {mayWrite && data !== undefined ? (
        <Link to="/settings/reports">{t('ERASURE.RETENTION.CHANGE')}</Link>
      ) : null}
    </p>
  );
}
