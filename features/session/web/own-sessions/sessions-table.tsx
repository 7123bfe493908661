import type { OwnSession } from '#features/session/contract/sessions.ts';
import { useTranslation } from 'react-i18next';
import { browserName } from '#web/platform/browser-name.ts';
import { useFormats } from '#web/platform/contexts.tsx';
import { Button } from '#web/ui/button.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { Time } from '#web/ui/time.tsx';

type SessionsTableProps = {
  caption: string;
  sessions: readonly OwnSession[];
  /** Null for people who may not end them. */
  onEnd: ((session: OwnSession) => void) | null;
};

/** Where a person is signed in. Network addresses are not stored. */
export function SessionsTable({ caption, sessions, onEnd }: SessionsTableProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const columns: Column<OwnSession>[] = [
    {
      key: 'where',
      header: t('OWN_SESSIONS.WHERE'),
      role: 'primary',
      cell: (session) => (
        <span className="row wrap">
          <strong>{browserName(t, session)}</strong>
          {session.current ? (
            <Tag kind="ok" icon="check">
              {t('OWN_SESSIONS.HERE')}
            </Tag>
          ) : null}
        </span>
      ),
    },
    {
      key: 'begun',
      header: t('OWN_SESSIONS.BEGUN'),
      tight: true,
      narrow: 'labelled',
      cell: ({ createdAt }) => <Time at={createdAt} formats={formats} />,
    },
    {
      key: 'seen',
      header: t('OWN_SESSIONS.SEEN'),
      tight: true,
      narrow: 'labelled',
      cell: ({ seenAt }) => <Time at={seenAt} formats={formats} />,
    },
    {
      key: 'end',
      header: t('OWN_SESSIONS.END'),
      headerHidden: true,
      role: 'beside',
      align: 'end',
      tight: true,
      cell: (session) =>
        session.current || onEnd === null ? null : (
          <Button
            small
            aria-label={t('OWN_SESSIONS.END_NAMED', { name: browserName(t, session) })}
            onClick={() => onEnd(session)}
          >
            {t('OWN_SESSIONS.END')}
          </Button>
        ),
    },
  ];
  return <Table caption={caption} columns={columns} rows={sessions} rowKey={({ id }) => id} />;
}
