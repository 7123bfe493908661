import {
  getOwnNotices,
  noticeRights,
  type OwnNotices as Choice,
  setOwnNotices,
  webhookArea,
} from '#features/webhooks/contract/webhooks.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSettingsForm } from '#features/settings/web/settings-form.tsx';
import { routeQuery } from '#web/platform/calls/route-query.ts';
import { useApi, useCan } from '#web/platform/contexts.tsx';
import { problemsOf } from '#web/platform/forms/problems-of.ts';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { isFirstLoad, retryProps } from '#web/platform/lists/list-state.ts';
import { SelectField } from '#web/ui/field.tsx';
import { Notice, Problem } from '#web/ui/notice.tsx';
import { RetryNotice, Skeleton } from '#web/ui/states.tsx';
import { Checkbox } from '#web/ui/text-input.tsx';

const key = ['own-notices'] as const;
const notLoaded: Choice = { areas: [], daily: false, version: 0, mail: true };

/**
 * The state of the part of the profile form that chooses what the signed-in operator is told by mail. It is not
 * offered to people who see none of the areas.
 */
export function useOwnNotices() {
  const { t } = useTranslation();
  const api = useApi();
  const can = useCan();
  const isOffered = webhookArea.options.some((area) => can(noticeRights[area]));
  const choice = useQuery({ ...routeQuery(key, getOwnNotices, {}), enabled: isOffered });
  const { areas, daily, version } = choice.data ?? notLoaded;
  const form = useSettingsForm({
    saved: { values: { areas, daily }, version },
    save: (chosen, opened) => api.call(setOwnNotices, { body: { ...chosen, version: opened } }),
    queryKey: key,
    // The profile's form, of which it is a part, asks for its own fields alone.
    follows: true,
    notice: { key: 'own-notices', title: t('NOTICES.SAVED') },
  });
  return { isOffered, choice, form };
}

type OwnNoticesProps = Pick<ReturnType<typeof useOwnNotices>, 'choice' | 'form'>;

/** The fields of the part of the profile form that chooses what the operator is told by mail. */
export function OwnNotices({ choice, form }: OwnNoticesProps) {
  const { t } = useTranslation();
  const can = useCan();
  if (isFirstLoad(choice)) return <Skeleton label={t('COMMON.LOADING')} kind="text" count={3} />;
  if (choice.data === undefined)
    return <RetryNotice retry={retryProps(t, choice).retry}>{t('NOTICES.FAILED')}</RetryNotice>;
  const { areas, daily } = form.values;
  return (
    <>
      <p className="muted">{t('NOTICES.LEAD')}</p>
      {choice.data.mail ? null : <Notice severity="medium">{t('NOTICES.NO_MAIL')}</Notice>}
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
      <Problem>{problemsOf(t, form.error, { fields: {} }).general}</Problem>
    </>
  );
}
