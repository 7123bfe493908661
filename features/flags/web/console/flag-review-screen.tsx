import { getFlagReview, setFlagReview, type FlagReview } from '#features/flags/contract/review.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { SettingsForm, SettingsSection, useSettingsForm } from '#features/settings/web/settings-form.tsx';
import { routeQuery } from '#web/platform/calls/route-query.ts';
import { useApi } from '#web/platform/contexts.tsx';
import { ScreenHead } from '#web/ui/screen-head.tsx';
import { Checkbox } from '#web/ui/text-input.tsx';
import { flagsKey } from './flags-query.ts';

const reviewKey = [...flagsKey, 'review'] as const;

/** Whether changes of flags need a review (FLAG-22). */
export function FlagReviewScreen() {
  const { t } = useTranslation();
  const review = useQuery(routeQuery(reviewKey, getFlagReview, {}));
  return (
    <div className="stack gap-4">
      <ScreenHead title={t('FLAG_REVIEW.TITLE')} lead={t('FLAG_REVIEW.LEAD')} />
      <SettingsSection
        id="flag-review"
        title={t('FLAG_REVIEW.SECTION')}
        lead={t('FLAG_REVIEW.SECTION_LEAD')}
        settings={review}
        history="flag-review"
      >
        {(known) => <ReviewForm known={known} />}
      </SettingsSection>
    </div>
  );
}

function ReviewForm({ known: { required, version } }: { known: FlagReview }) {
  const { t } = useTranslation();
  const api = useApi();
  const form = useSettingsForm({
    saved: { values: { required }, version },
    save: (values, opened) => api.call(setFlagReview, { body: { ...values, version: opened } }),
    queryKey: reviewKey,
    notice: { key: 'flag-review', title: t('FLAG_REVIEW.SAVED') },
  });
  return (
    <SettingsForm form={form}>
      <Checkbox label={t('FLAG_REVIEW.REQUIRED')} hint={t('FLAG_REVIEW.HINT')} {...form.check('required')} />
    </SettingsForm>
  );
}
