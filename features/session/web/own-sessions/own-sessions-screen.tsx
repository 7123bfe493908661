import {
  endOtherSessions,
  endSession,
  listSessions,
  type OwnSession,
} from '#features/session/contract/sessions.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { browserName } from '#web/platform/browser-name.ts';
import { listState } from '#web/platform/lists/list-state.ts';
import { routeQuery } from '#web/platform/calls/route-query.ts';
import { useApi } from '#web/platform/contexts.tsx';
import { isProblem } from '#web/platform/calls/problem-error.ts';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';
import { ListFrame } from '#web/ui/list-frame.tsx';
import { ScreenHead } from '#web/ui/screen-head.tsx';
import { SessionsTable } from './sessions-table.tsx';
import '#web/ui/screen.css';

const sessionsQuery = {
  ...routeQuery(['own-sessions'], listSessions, {}),
  refetchInterval: 30_000,
};

/** Where the person is signed in, and how to end sessions that are not theirs. */
export function OwnSessionsScreen() {
  const { t } = useTranslation();
  const sessions = useQuery(sessionsQuery);
  const [ending, setEnding] = useState<OwnSession | 'others' | null>(null);
  const [ended, setEnded] = useState(0);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The button that opened the dialog is gone with its row; and nothing behind a dialog takes the focus
    // before it has closed.
    if (ended > 0) heading.current?.focus();
  }, [ended]);
  const list = (sessions.data?.sessions ?? []).toSorted(
    (one, other) => Number(other.current) - Number(one.current),
  );
  const others = list.filter(({ current }) => !current);

  return (
    <>
      <ScreenHead
        title={t('OWN_SESSIONS.TITLE')}
        lead={<span className="measure line">{t('OWN_SESSIONS.LEAD')}</span>}
        heading={heading}
      >
        {others.length === 0 ? null : (
          <Button tone="danger" icon="sign-out" onClick={() => setEnding('others')}>
            {t('OWN_SESSIONS.END_OTHERS')}
          </Button>
        )}
      </ScreenHead>

      <ListFrame {...listState(t, sessions)} skeletonRows={3}>
        <div className="stack gap-4 above-4">
          <SessionsTable caption={t('OWN_SESSIONS.TITLE')} sessions={list} onEnd={setEnding} />
          <p className="muted measure line">
            {t(others.length === 0 ? 'OWN_SESSIONS.ONLY_HERE' : 'OWN_SESSIONS.STRANGER')}
          </p>
        </div>
      </ListFrame>

      {ending === null ? null : (
        <EndDialog
          ending={ending}
          others={others.length}
          onClose={() => setEnding(null)}
          onEnded={() => {
            setEnding(null);
            setEnded((count) => count + 1);
          }}
        />
      )}
    </>
  );
}

type EndDialogProps = {
  ending: OwnSession | 'others';
  others: number;
  onClose: () => void;
  onEnded: () => void;
};

function EndDialog({ ending, others, onClose, onEnded }: EndDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();

  async function end(): Promise<void> {
    if (ending === 'others') await api.call(endOtherSessions, {});
    else
      await api.call(endSession, { params: { sessionId: ending.id } }).catch((error: unknown) => {
        // The session has ended by now, as intended.
        if (!isProblem(error, 'NOT_FOUND')) throw error;
      });
    await queries.invalidateQueries({ queryKey: sessionsQuery.queryKey });
  }

  return (
    <ConfirmAction
      title={
        ending === 'others'
          ? t('OWN_SESSIONS.END_OTHERS_QUESTION', { count: others })
          : t('OWN_SESSIONS.END_QUESTION', { name: browserName(t, ending) })
      }
      confirmLabel={t(ending === 'others' ? 'OWN_SESSIONS.END_OTHERS' : 'OWN_SESSIONS.END')}
      tone="danger"
      action={end}
      problem={(error) => problemText(t, error)}
      done={
        ending === 'others'
          ? t('OWN_SESSIONS.OTHERS_ENDED')
          : t('OWN_SESSIONS.ENDED', { name: browserName(t, ending) })
      }
      onDone={onEnded}
      onCancel={onClose}
    >
      <p>{t('OWN_SESSIONS.EFFECT')}</p>
    </ConfirmAction>
  );
}
