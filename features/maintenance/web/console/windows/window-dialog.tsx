import { textFor } from '#features/maintenance/contract/maintenance.ts';
import { textPhases } from '#features/maintenance/contract/texts.ts';
import { getWindow, type MaintenanceWindow } from '#features/maintenance/contract/windows.ts';
import { finishedText, textOfPhase } from '#features/maintenance/contract/window-texts.ts';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '#web/platform/contexts.tsx';
import { HistoryLink } from '#web/platform/lists/history-link.tsx';
import { catalogueKey } from '#web/platform/i18n/catalogue-key.ts';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Skeleton } from '#web/ui/states.tsx';
import { HistoryList } from '../history/history-list.tsx';
import { maintenanceKey } from '../maintenance-key.ts';
import { useServerNow } from '../use-server-now.ts';
import { phaseAt } from './phase-at.ts';
import { WindowSteps } from './window-steps.tsx';
import { NotifiedFrom, PhaseTag, Span } from './window-table.tsx';

type WindowDialogProps = { windowId: string; onClose: () => void; onChange: () => void };

/** One window: its details, the possible steps, and its history. */
export function WindowDialog({ windowId, onClose, onChange }: WindowDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const now = useServerNow();
  const query = useQuery({
    queryKey: [...maintenanceKey, 'windows', 'one', windowId],
    queryFn: ({ signal }) => api.call(getWindow, { params: { windowId } }, { signal }),
  });
  const window = query.data;
  const phase = window === undefined ? null : phaseAt(window, now);
  return (
    <Dialog
      open
      kind="wide"
      title={window?.title ?? t('MAINTENANCE.CONSOLE.WINDOW')}
      closeLabel={t('COMMON.CLOSE')}
      onClose={onClose}
    >
      {window === undefined || phase === null ? (
        query.isError ? (
          <Notice severity="high" role="alert">
            {problemText(t, query.error)}
          </Notice>
        ) : (
          <Skeleton label={t('MAINTENANCE.CONSOLE.LOADING')} />
        )
      ) : (
        <>
          <dl className="facts">
            <dt>{t('MAINTENANCE.CONSOLE.COLUMNS.PHASE')}</dt>
            <dd>
              <PhaseTag phase={phase} />
            </dd>
            <dt>{t('MAINTENANCE.CONSOLE.COLUMNS.WHEN')}</dt>
            <dd>
              <Span startsAt={window.startsAt} endsAt={window.endsAt} />
            </dd>
            {window.timeZone === null ? null : (
              <>
                <dt>{t('MAINTENANCE.CONSOLE.FACTS.ZONE')}</dt>
                <dd>{window.timeZone.replaceAll('_', ' ')}</dd>
              </>
            )}
            <dt>{t('MAINTENANCE.CONSOLE.COLUMNS.MODE')}</dt>
            <dd>{t(`MAINTENANCE.CONSOLE.WINDOW_MODES.${catalogueKey(window.mode)}.LABEL`)}</dd>
            <dt>{t('MAINTENANCE.CONSOLE.COLUMNS.LEAD')}</dt>
            <dd>
              <NotifiedFrom window={window} />
            </dd>
            <dt>{t('MAINTENANCE.CONSOLE.FACTS.ENDS')}</dt>
            <dd>
              {t(
                window.endsByItself || window.mode === 'announce'
                  ? 'MAINTENANCE.CONSOLE.PLAN.ENDS_WHEN.BY_ITSELF.LABEL'
                  : 'MAINTENANCE.CONSOLE.PLAN.ENDS_WHEN.BY_HAND.LABEL',
              )}
            </dd>
            <WindowTextFacts window={window} />
          </dl>
          <WindowSteps window={window} phase={phase} now={now} onChange={onChange} />
          <h3>{t('MAINTENANCE.CONSOLE.HISTORY.TITLE')}</h3>
          <HistoryList windowId={windowId} />
          <HistoryLink subject={windowId} />
        </>
      )}
    </Dialog>
  );
}

/** What people read of it, in the language of this screen as far as it was written in it. */
function WindowTextFacts({ window }: { window: MaintenanceWindow }) {
  const { t, i18n } = useTranslation();
  const shown = textPhases.filter((phase) => window.texts[phase] !== undefined);
  return (
    <>
      {window.text === '' ? null : (
        <>
          <dt>{t('MAINTENANCE.CONSOLE.FACTS.TEXT')}</dt>
          <dd className="facts-text" dir="auto">
            {window.text}
          </dd>
        </>
      )}
      {shown.map((phase) => (
        <Fragment key={phase}>
          <dt>{t(`MAINTENANCE.CONSOLE.TEXTS.${catalogueKey(phase)}.LABEL`)}</dt>
          <dd className="facts-text">
            {phase === 'finished'
              ? textFor(finishedText(window) ?? { text: '', texts: {} }, i18n.language)
              : textFor(textOfPhase(window, phase), i18n.language)}
          </dd>
        </Fragment>
      ))}
    </>
  );
}
