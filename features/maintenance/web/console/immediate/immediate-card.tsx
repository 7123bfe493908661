import type { MaintenanceSettings } from '#features/maintenance/contract/settings.ts';
import type { MaintenanceHistoryEntry, MaintenanceWindow } from '#features/maintenance/contract/windows.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { namedActor } from '#web/platform/named-person.ts';
import { Checkbox } from '#web/ui/text-input.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';
import { Notice, Problem } from '#web/ui/notice.tsx';
import { notifyUndoable } from '#web/ui/notifications/undoable.ts';
import { Time } from '#web/ui/time.tsx';
import { useFormats } from '#web/platform/contexts.tsx';
import { shortTime } from '../../time-words.ts';
import { historyQuery } from '../maintenance-queries.ts';
import { ConnectedPeople } from '../presence.tsx';
import { useServerNow } from '#web/platform/time/use-now.ts';
import { Timeline, type Stop } from '../windows/window-timeline.tsx';
import { settingOf, settingProblem, useSetMaintenance } from './setting.ts';
import { useAskedAction } from '#web/platform/lists/list-state.ts';

type ImmediateCardProps = {
  settings: MaintenanceSettings;
  /** A window that stays in force after the switch is off; null: none. */
  activeWindow: MaintenanceWindow | null;
  onChange: () => void;
};

/** Maintenance that was started at once: since when and by whom, until when, and how to end or change it. */
export function ImmediateCard({ settings, activeWindow, onChange }: ImmediateCardProps) {
  const { t } = useTranslation();
  const now = useServerNow();
  const { mode, since, expectedEnd, changedBy } = settings;
  const late = expectedEnd !== null && expectedEnd <= now;
  const stops: Stop[] = [
    {
      key: 'started',
      name: t('MAINTENANCE.CONSOLE.STAGES.STARTED'),
      at: since,
      state: late ? 'done' : 'here',
    },
    {
      key: 'end',
      name: t('MAINTENANCE.CONSOLE.STAGES.EXPECTED_END'),
      at: expectedEnd,
      state: late ? 'late' : 'ahead',
      time: expectedEnd === null ? t('MAINTENANCE.CONSOLE.TURN.NO_END') : undefined,
    },
    {
      key: 'ended',
      name: t('MAINTENANCE.CONSOLE.STAGES.ENDED'),
      at: null,
      state: 'ahead',
      time: t('MAINTENANCE.CONSOLE.STAGES.BY_HAND'),
    },
  ];
  return (
    <section className="panel stack gap-4 pad-4" aria-labelledby="immediate-maintenance">
      <div className="current-head row wrap between top gap-3-6">
        <div>
          <h2 id="immediate-maintenance" className="heading">
            {t('MAINTENANCE.CONSOLE.BY_HAND.TITLE')}
          </h2>
          <p className="muted">
            {t(`MAINTENANCE.CONSOLE.MODES.${catalogueKey(mode)}.NOW`)}
            {changedBy === null
              ? null
              : ` · ${t('MAINTENANCE.CONSOLE.CHANGED_BY', { name: namedActor(t, changedBy, settings.names) })}`}
          </p>
        </div>
        <div className="row wrap">
          <EndNow settings={settings} activeWindow={activeWindow} />
          <Button onClick={onChange}>{t('MAINTENANCE.CONSOLE.CHANGE')}</Button>
        </div>
      </div>
      <Timeline stops={stops} now={now} />
    </section>
  );
}

/** Ends maintenance that was started at once, after a confirmation that also asks which notice stays published. */
function EndNow({ settings, activeWindow }: Omit<ImmediateCardProps, 'onChange'>) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const [chosen, setChosen] = useState<'nothing' | 'text' | 'replaced' | null>(null);
  const end = useSetMaintenance();
  const history = useInfiniteQuery({ ...historyQuery(null), enabled: asking });
  const replaced = replacedNotice(history.data?.pages[0]?.entries ?? []);
  // Without a choice, the notice that the start replaced is shown again.
  const after = chosen ?? 'replaced';
  const notice =
    after === 'text' ? settingOf(settings) : ((after === 'replaced' ? replaced : null) ?? noNotice);
  const ask = () => {
    setChosen(null);
    setAsking(true);
  };
  useAskedAction('end', true, ask);
  return (
    <>
      <Button tone="primary" onClick={ask}>
        {t('MAINTENANCE.CONSOLE.MODES.OFF.ACTION')}
      </Button>
      {asking ? (
        <ConfirmAction
          title={t('MAINTENANCE.CONSOLE.MODES.OFF.QUESTION')}
          confirmLabel={t('MAINTENANCE.CONSOLE.MODES.OFF.ACTION')}
          action={() =>
            end.mutateAsync({
              ...settingOf(settings),
              mode: 'off',
              ...notice,
              expectedEnd: null,
            })
          }
          problem={(error) => settingProblem(t, error)}
          done={t(
            activeWindow === null
              ? 'MAINTENANCE.CONSOLE.MODES.OFF.DONE'
              : 'MAINTENANCE.CONSOLE.END_NOW.DONE_BY_HAND',
          )}
          hold={chosen === null && history.isFetching ? 'loading' : undefined}
          onCancel={() => setAsking(false)}
        >
          <div className="fields">
            <ConnectedPeople />
            <p>
              {activeWindow === null
                ? t('MAINTENANCE.CONSOLE.MODES.OFF.EFFECT')
                : t('MAINTENANCE.CONSOLE.END_NOW.WINDOW_GOES_ON', { title: activeWindow.title })}
            </p>
            {[
              { value: 'text' as const, text: settings.text, label: t('MAINTENANCE.CONSOLE.END_NOW.KEEP') },
              {
                value: 'replaced' as const,
                text: replaced?.text ?? '',
                label: t('MAINTENANCE.CONSOLE.END_NOW.REPLACED'),
              },
            ].map(({ value, text, label }) =>
              text === '' ? null : (
                <Checkbox
                  key={value}
                  label={label}
                  hint={<span dir="auto">{text}</span>}
                  checked={after === value}
                  onChecked={(checked) => setChosen(checked ? value : 'nothing')}
                />
              ),
            )}
          </div>
        </ConfirmAction>
      ) : null}
    </>
  );
}

type NoticeCardProps = {
  settings: MaintenanceSettings;
  /** The last window that has ended. */
  ended: MaintenanceWindow | null;
  onChange: () => void;
  /** The notice as people see it, or its text while they see another one. */
  children: ReactNode;
};

/** The manual notice. No window ends it, so after a window the operator is asked whether it stays. */
export function NoticeCard({ settings, ended, onChange, children }: NoticeCardProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useServerNow();
  const publish = useSetMaintenance();
  const { text, changedAt, changedBy } = settings;
  // It stays mounted without a notice, since the outcome of a removal is reported then.
  if (text === '' || settings.mode !== 'off') return null;
  const endedAt = ended?.phase === 'ended' ? ended.overAt : null;
  const isLeft = ended !== null && endedAt !== null && changedAt !== null && changedAt < endedAt;

  function remove(): void {
    publish.mutate(
      { ...settingOf(settings), text: '' },
      {
        onSuccess: ({ version }) =>
          notifyUndoable(t, {
            key: 'notice',
            title: t('MAINTENANCE.CONSOLE.NOTICE.REMOVED'),
            undo: () => publish.mutateAsync({ ...settingOf(settings), version }),
            problem: (error) => settingProblem(t, error) ?? undefined,
          }),
      },
    );
  }

  return (
    <section className="panel stack gap-4 pad-4" aria-labelledby="published-notice">
      <div className="current-head row wrap between top gap-3-6">
        <div>
          <h2 id="published-notice" className="heading">
            {t('MAINTENANCE.CONSOLE.NOTICE.TITLE')}
          </h2>
          {changedAt === null || changedBy === null ? null : (
            <p className="muted">
              {t('MAINTENANCE.CONSOLE.CHANGED_BY', { name: namedActor(t, changedBy, settings.names) })}{' '}
              <Time at={changedAt} formats={formats} />
            </p>
          )}
        </div>
        <div className="row wrap">
          <Button tone={isLeft ? 'primary' : 'plain'} busy={publish.isPending} onClick={remove}>
            {t('MAINTENANCE.CONSOLE.NOTICE.REMOVE')}
          </Button>
          <Button onClick={onChange}>{t('MAINTENANCE.CONSOLE.NOTICE.CHANGE')}</Button>
        </div>
      </div>
      {children}
      {isLeft ? (
        <Notice severity="medium" role="status">
          {t('MAINTENANCE.CONSOLE.NOTICE.LEFT', {
            title: ended.title,
            time: shortTime(formats, endedAt, now),
          })}
        </Notice>
      ) : null}
      <Problem>{publish.error === null ? null : settingProblem(t, publish.error)}</Problem>
    </section>
  );
}

type PublishedNotice = Pick<MaintenanceSettings, 'text' | 'texts' | 'severity'>;

const noNotice: Pick<PublishedNotice, 'text'> = { text: '' };

/** The notice that the text of this maintenance replaced when maintenance was started; null: none. */
function replacedNotice(entries: readonly MaintenanceHistoryEntry[]): PublishedNotice | null {
  const switches = entries.filter(({ deed }) => deed === 'switched');
  const start = switches.find((_, index) => (switches[index + 1]?.mode ?? 'off') === 'off');
  if (start?.before == null || start.before.text === '' || start.before.text === start.text) return null;
  return { text: start.before.text, texts: start.before.texts ?? {}, severity: start.before.severity };
}
