import type { FullError } from '#features/diagnostics/contract/diagnostics.ts';
import { useTranslation } from 'react-i18next';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { Time } from '#web/ui/time.tsx';

/** Since when and how often, and whom it concerns. */
export function ErrorFacts({ error, now }: { error: FullError; now: number }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { events, people, firstSeenAt, lastSeenAt, returnedAt } = error;
  const seen = (at: number, release: string | null) => (
    <>
      <Time at={at} formats={formats} now={() => now} />
      {release === null ? null : <span className="error-release">{release}</span>}
    </>
  );
  return (
    <dl className="facts error-facts">
      <dt>{t('DIAGNOSTICS.COLUMNS.EVENTS')}</dt>
      <dd>{formats.number(events)}</dd>
      <dt>{t('DIAGNOSTICS.COLUMNS.PEOPLE')}</dt>
      <dd>{formats.number(people)}</dd>
      <dt>{t('DIAGNOSTICS.FACTS.FIRST_SEEN')}</dt>
      <dd>{seen(firstSeenAt, error.firstRelease)}</dd>
      <dt>{t('DIAGNOSTICS.FACTS.LAST_SEEN')}</dt>
      <dd>{seen(lastSeenAt, error.lastRelease)}</dd>
      {returnedAt === null ? null : (
        <>
          <dt>{t('DIAGNOSTICS.FACTS.RETURNED')}</dt>
          <dd>{seen(returnedAt, null)}</dd>
        </>
      )}
      <dt>{t('DIAGNOSTICS.FACTS.PROJECT')}</dt>
      <dd>{error.projectName}</dd>
    </dl>
  );
}
