import { textFor } from '#features/maintenance/contract/maintenance.ts';
import {
  type TextPhase,
  textPhases,
  finishedText,
  textOfPhase,
} from '#features/maintenance/contract/texts.ts';
import {
  getWindow,
  type MaintenanceWindow,
  type WindowPhase,
} from '#features/maintenance/contract/windows.ts';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { routeQuery } from '#web/platform/calls/route-query.ts';
import { HistoryLink } from '#web/platform/lists/history-link.tsx';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { readProblemText } from '#web/platform/calls/problem-text.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Skeleton } from '#web/ui/states.tsx';
import { HistoryList } from '../history.tsx';
import { maintenanceKey } from '../../live-status.ts';
import { useServerNow } from '#web/platform/time/use-now.ts';
import { phaseAt } from './phase-at.ts';
import { WindowSteps } from './window-steps.tsx';
import { NotifiedFrom, PhaseTag, Span } from './window-table.tsx';

type WindowDialogProps = { windowId: string; onClose: () => void; onChange: () => void };

/** One window: its details, the possible steps, and its history. */
export function WindowDialog({ windowId, onClose, onChange }: WindowDialogProps) {
  const { t } = useTranslation();
  const now = useServerNow();
  const query = useQuery(
    routeQuery([...maintenanceKey, 'windows', 'one', windowId], getWindow, { params: { windowId } }),
  );
  const window = query.data;
  const phase = window === undefined ? null : phaseAt(window, now);
  return (
    <Dialog open kind="wide" title={window?.title ?? t('MAINTENANCE.CONSOLE.WINDOW')} onClose={onClose}>
      {window === undefined || phase === null ? (
        query.isError ? (
          <Notice severity="high" role="alert">
            {readProblemText(t, query.error)}
          </Notice>
        ) : (
          <Skeleton label={t('COMMON.LOADING')} />
        )
      ) : (
        <>
          <WindowFacts window={window} phase={phase} />
          <WindowSteps window={window} phase={phase} now={now} onChange={onChange} />
          <h3>{t('MAINTENANCE.CONSOLE.HISTORY.TITLE')}</h3>
          <HistoryList windowId={windowId} />
          <HistoryLink subject={windowId} />
        </>
      )}
    </Dialog>
  );
}

/** The details of a window, with its texts in the language of this screen where they were written in it. */
function WindowFacts({ window, phase }: { window: MaintenanceWindow; phase: WindowPhase }) {
  const { t, i18n } = useTranslation();
  const { startsAt, endsAt, timeZone, mode, text, texts, endsByItself } = window;
  const ends = endsByItself || mode === 'announce' ? 'BY_ITSELF' : 'BY_HAND';
  const textOf = (one: TextPhase) =>
    one === 'finished' ? (finishedText(window) ?? { text: '', texts: {} }) : textOfPhase(window, one);
  const facts: Record<string, ReactNode> = {
    'COLUMNS.PHASE': <PhaseTag phase={phase} />,
    'COLUMNS.WHEN': <Span startsAt={startsAt} endsAt={endsAt} />,
    'FACTS.ZONE': timeZone?.replaceAll('_', ' '),
    'COLUMNS.MODE': t(`MAINTENANCE.CONSOLE.WINDOW_MODES.${catalogueKey(mode)}.LABEL`),
    'COLUMNS.LEAD': <NotifiedFrom window={window} />,
    'FACTS.ENDS': t(`MAINTENANCE.CONSOLE.PLAN.ENDS_WHEN.${ends}.LABEL`),
  };
  return (
    <dl className="facts">
      {Object.entries(facts).map(([name, fact]) =>
        fact === undefined ? null : (
          <Fragment key={name}>
            <dt>{t(`MAINTENANCE.CONSOLE.${name}`)}</dt>
            <dd>{fact}</dd>
          </Fragment>
        ),
      )}
      {text === '' ? null : (
        <>
          <dt>{t('MAINTENANCE.CONSOLE.FACTS.TEXT')}</dt>
          <dd className="lines" dir="auto">
            {text}
          </dd>
        </>
      )}
      {textPhases
        .filter((one) => texts[one] !== undefined)
        .map((one) => (
          <Fragment key={one}>
            <dt>{t(`MAINTENANCE.CONSOLE.TEXTS.${catalogueKey(one)}.LABEL`)}</dt>
            <dd className="lines">{textFor(textOf(one), i18n.language)}</dd>
          </Fragment>
        ))}
    </dl>
  );
}
