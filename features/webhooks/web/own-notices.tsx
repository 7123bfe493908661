import {
  getOwnNotices,
  noticeRights,
  type OwnNotices as Choice,
  setOwnNotices,
} from '#features/webhooks/contract/notices.ts';
import { webhookArea } from '#features/webhooks/contract/webhooks.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { SettingsForm, SettingsSection, useSettingsForm } from '#features/settings/web/settings-form.tsx';
import { routeQuery } from '#web/platform/calls/route-query.ts';
import { useApi, useCan } from '#web/platform/contexts.tsx';
import { catalogueKey } from '#web/platform/i18n/catalogue-key.ts';
import { SelectField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Checkbox } from '#web/ui/text-input.tsx';

const key = ['own-notices'] as const;

/** What the signed-in operator is told by mail; nothing for people who see none of the areas. */
export function OwnNotices() {
  const { t } = useTranslation();
  const can = useCan();
  const isOffered = webhookArea.options.some((area) => can(noticeRights[area]));
  const choice = useQuery({
    ...routeQuery(key, getOwnNotices, {}),
    enabled: isOffered,
  });
  if (!isOffered) return null;
  return (
    <SettingsSection
      id="notices"
      divided
      title={t('NOTICES.TITLE')}
      lead={t('NOTICES.LEAD')}
      settings={choice}
      failed={{ title: t('NOTICES.FAILED'), text: t('NOTICES.TEXT') }}
    >
      {(settings) => <NoticesForm settings={settings} />}
    </SettingsSection>
  );
}

function NoticesForm({ settings: { mail, version, ...values } }: { settings: Choice }) {
  const { t } = useTranslation();
  const api = useApi();
  const can = useCan();
  const form = useSettingsForm({
    saved: { values, version },
    save: (chosen, opened) => api.call(setOwnNotices, { body: { ...chosen, version: opened } }),
    queryKey: key,
    notice: { key: 'own-notices', title: t('NOTICES.SAVED') },
  });
  const { areas, daily } = form.values;
  return (
    <SettingsForm className="stack" form={form}>
      {mail ? null : <Notice severity="medium">{t('NOTICES.NO_MAIL')}</Notice>}
      {webhookArea.options
        .filter((area) => can(noticeRights[area]))
        .map((area) => (
          <Checkbox
            key={area}
            label={t(`NOTICES.AREAS.${catalogueKey(area)}.LABEL`)}
            hint={t(`NOTICES.AREAS.${catalogueKey(area)}.HINT`)}
            checked={areas.includes(area)}
            onChecked={(checked) =>
              form.set({
                areas: webhookArea.options.filter((one) => (one === area ? checked : areas.includes(one))),
              })
            }
          />
        ))}
      <SelectField
        label={t('NOTICES.WHEN')}
        value={daily ? 'daily' : 'at-once'}
        onValue={(value) => form.set({ daily: value === 'daily' })}
        options={[
          { value: 'at-once', label: t('NOTICES.AT_ONCE') },
          { value: 'daily', label: t('NOTICES.DAILY') },
        ]}
      />
    </SettingsForm>
  );
}
