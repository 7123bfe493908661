import type { MaintenanceSettings } from '#features/maintenance/contract/settings.ts';
import type { MaintenanceWindow } from '#features/maintenance/contract/windows.ts';
import { useTranslation } from 'react-i18next';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { namedActor } from '#web/platform/named-person.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import { Time } from '#web/ui/time.tsx';
import { shortTime } from '../../time-words.ts';
import { settingOf, settingProblem, useSetMaintenance } from '../immediate/setting.ts';
import { useServerNow } from '../use-server-now.ts';

type NoticeCardProps = {
  settings: MaintenanceSettings;
  /** The last window that has ended. */
  ended: MaintenanceWindow | null;
  onChange: () => void;
};

/** The notice that was published apart from windows: no window ends it, so after one it is asked whether it stays. */
export function NoticeCard({ settings, ended, onChange }: NoticeCardProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useServerNow();
  const publish = useSetMaintenance();
  const { text, changedAt, changedBy } = settings;
  if (text === '' || settings.mode !== 'off') return null;
  const endedAt = ended?.phase === 'ended' ? ended.overAt : null;
  const isLeft = ended !== null && endedAt !== null && changedAt !== null && changedAt < endedAt;

  function remove(): void {
    publish.mutate(
      { ...settingOf(settings), text: '' },
      {
        onSuccess: () => notify({ kind: 'success', title: t('MAINTENANCE.CONSOLE.NOTICE.REMOVED') }),
      },
    );
  }

  return (
    <section className="current" aria-labelledby="published-notice">
      <div className="current-head">
        <div>
          <h2 id="published-notice">{t('MAINTENANCE.CONSOLE.NOTICE.TITLE')}</h2>
          {changedAt === null || changedBy === null ? null : (
            <p className="muted">
              {t('MAINTENANCE.CONSOLE.CHANGED_BY', { name: namedActor(t, changedBy, settings.names) })}{' '}
              <Time at={changedAt} formats={formats} />
            </p>
          )}
        </div>
        <div className="button-row">
          <Button tone={isLeft ? 'primary' : 'plain'} busy={publish.isPending} onClick={remove}>
            {t('MAINTENANCE.CONSOLE.NOTICE.REMOVE')}
          </Button>
          <Button onClick={onChange}>{t('MAINTENANCE.CONSOLE.NOTICE.CHANGE')}</Button>
        </div>
      </div>
      <blockquote className="notice-text-shown" dir="auto">
        {text}
      </blockquote>
      {isLeft ? (
        <Notice severity="medium" role="status">
          {t('MAINTENANCE.CONSOLE.NOTICE.LEFT', {
            title: ended.title,
            time: shortTime(formats, endedAt, now),
          })}
        </Notice>
      ) : null}
      {publish.error === null ? null : (
        <Notice severity="high" role="alert">
          {settingProblem(t, publish.error)}
        </Notice>
      )}
    </section>
  );
}
