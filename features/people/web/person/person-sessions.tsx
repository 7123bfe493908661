import type { Person } from '#features/people/contract/people.ts';
import type { listSessionsOfPerson } from '#features/session/contract/of-person.ts';
import type { AnswerOf } from '#contract/route.ts';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { browserName } from '#web/platform/browser-name.ts';
import { listState } from '#web/platform/lists/list-state.ts';
import { Button } from '#web/ui/button.tsx';
import { ListFrame } from '#web/ui/list-frame.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { Time } from '#web/ui/time.tsx';
import type { Doing, SessionOfPerson } from './person-dialogs.tsx';
import { useFormats } from '#web/platform/contexts.tsx';

const page = 20;

type PersonSessionsProps = {
  person: Person;
  mayWrite: boolean;
  sessions: UseQueryResult<AnswerOf<typeof listSessionsOfPerson>>;
  onDo: (doing: Doing) => void;
};

/** Where the person is signed in. Network addresses are not stored. */
export function PersonSessions({ mayWrite, sessions, onDo }: PersonSessionsProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [shown, setShown] = useState(page);
  const all = sessions.data?.sessions ?? [];
  const columns: Column<SessionOfPerson>[] = [
    {
      key: 'where',
      header: t('PEOPLE.SESSIONS.WHERE'),
      role: 'primary',
      cell: (session) => (
        <span className="row wrap">
          <strong>{browserName(t, session)}</strong>
          {session.current ? <Tag kind="ok">{t('PEOPLE.SESSIONS.THIS_ONE')}</Tag> : null}
        </span>
      ),
    },
    {
      key: 'begun',
      header: t('PEOPLE.SESSIONS.BEGUN'),
      narrow: 'labelled',
      tight: true,
      cell: ({ createdAt }) => <Time at={createdAt} formats={formats} />,
    },
    {
      key: 'seen',
      header: t('PEOPLE.LAST_SEEN'),
      narrow: 'labelled',
      tight: true,
      cell: ({ seenAt }) => <Time at={seenAt} formats={formats} />,
    },
    {
      key: 'end',
      header: t('PEOPLE.SESSIONS.END'),
      headerHidden: true,
      role: 'beside',
      align: 'end',
      tight: true,
      cell: (session) =>
        session.current || !mayWrite ? null : (
          <Button
            small
            aria-label={t('PEOPLE.SESSIONS.END_NAMED', { where: browserName(t, session) })}
            onClick={() => onDo(session)}
          >
            {t('PEOPLE.SESSIONS.END')}
          </Button>
        ),
    },
  ];
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
        <Table
          caption={t('PEOPLE.TABS.SESSIONS')}
          columns={columns}
          rows={all.slice(0, shown)}
          rowKey={({ id }) => id}
        />
      </ListFrame>
    </section>
  );
}
