import { getFlagReview, setFlagReview, type FlagReview } from '#features/flags/contract/review.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { retryProps } from '#web/platform/calls/retry-props.ts';
import { useApi } from '#web/platform/contexts.tsx';
import { problemsOf } from '#web/platform/forms/problems-of.ts';
import { useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { HistoryLink } from '#web/platform/lists/history-link.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import { ScreenHead } from '#web/ui/screen-head.tsx';
import { SettingsForm, SettingsSection } from '#web/ui/settings-form.tsx';
import { Checkbox } from '#web/ui/text-input.tsx';
import { flagsKey } from './flags-query.ts';

const reviewKey = [...flagsKey, 'review'] as const;

/** Whether changes of flags need a review (FLAG-22). */
export function FlagReviewScreen() {
  const { t } = useTranslation();
  const api = useApi();
  const review = useQuery({
    queryKey: reviewKey,
    queryFn: ({ signal }) => api.call(getFlagReview, {}, { signal }),
  });
  return (
    <div className="person-data stack gap-4">
      <ScreenHead title={t('FLAG_REVIEW.TITLE')} lead={t('FLAG_REVIEW.LEAD')} />
      <SettingsSection
        id="flag-review"
        title={t('FLAG_REVIEW.SECTION')}
        lead={t('FLAG_REVIEW.SECTION_LEAD')}
        settings={review}
        failed={{
          title: t('FLAG_REVIEW.FAILED'),
          text: t('FLAG_REVIEW.FAILED_TEXT'),
          ...retryProps(t, review),
        }}
      >
        {(known) => (
          <>
            <ReviewForm known={known} />
            <HistoryLink subject="flag-review" />
          </>
        )}
      </SettingsSection>
    </div>
  );
}

function ReviewForm({ known: { required, version } }: { known: FlagReview }) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const form = useVersionedForm({
    saved: { values: { required }, version },
    save: (values, opened) => api.call(setFlagReview, { body: { ...values, version: opened } }),
    onSaved(saved) {
      queries.setQueryData(reviewKey, saved);
      notify({ kind: 'success', key: 'flag-review', title: t('FLAG_REVIEW.SAVED') });
    },
    reload: reviewKey,
    follows: true,
  });
  return (
    <SettingsForm
      className="stack gap-4"
      busy={form.busy}
      typed={form.typed}
      problem={problemsOf(t, form.error, { fields: {} }).general}
      action={t('FLAG_REVIEW.SAVE')}
      onSubmit={form.save}
    >
      <Checkbox
        label={t('FLAG_REVIEW.REQUIRED')}
        hint={t('FLAG_REVIEW.HINT')}
        checked={form.values.required}
        onChecked={(checked) => form.set({ required: checked })}
      />
    </SettingsForm>
  );
}
