import type { listSessionsOfPerson } from '#features/session/contract/sessions.ts';
import { SessionsTable } from '#features/session/web/own-sessions/sessions-table.tsx';
import type { AnswerOf } from '#contract/route.ts';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listState } from '#web/platform/lists/list-state.ts';
import { ListFrame } from '#web/ui/list-frame.tsx';
import type { Doing } from './person-dialogs.tsx';

const page = 20;

type PersonSessionsProps = {
  mayWrite: boolean;
  sessions: UseQueryResult<AnswerOf<typeof listSessionsOfPerson>>;
  onDo: (doing: Doing) => void;
};

/** Where the person is signed in. */
export function PersonSessions({ mayWrite, sessions, onDo }: PersonSessionsProps) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(page);
  const all = sessions.data?.sessions ?? [];
  const more = { busy: false, onMore: () => setShown(shown + 5 * page) };
  return (
    <section>
      <ListFrame
        texts="PEOPLE.SESSIONS"
        {...listState(t, sessions)}
        more={all.length > shown ? more : undefined}
        skeletonRows={3}
        count={all.length}
        empty={{ icon: 'monitor' }}
      >
        <SessionsTable
          caption={t('PEOPLE.TABS.SESSIONS')}
          sessions={all.slice(0, shown)}
          onEnd={mayWrite ? onDo : null}
        />
      </ListFrame>
    </section>
  );
}
