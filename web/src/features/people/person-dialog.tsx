import { renewInvitation, setBlocked, setRoles, type Person } from '@portico/contract/people';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { askAgain } from '../../platform/ask-again.ts';
import { useApi, useCan, useCurrentUser, useSignInPlace } from '../../platform/contexts.tsx';
import { HistoryLink } from '../../platform/history-link.tsx';
import { useFormats } from '../../platform/i18n/formats-context.tsx';
import { isProblem } from '../../platform/problem-error.ts';
import { problemText } from '../../platform/problem-text.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { notify } from '../../ui/notifications/notifications.ts';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { InvitationLink } from './invitation-link.tsx';
import { peopleKey, personQuery } from './people-queries.ts';
import { PasswordLinkSection } from './password-link-section.tsx';
import { personName } from './person-name.ts';
import { EmailDoubt } from './email-doubt.tsx';
import { PersonRights } from './rights/person-rights.tsx';
import { PersonStateTag } from './person-tags.tsx';
import { RoleChoice } from './role-choice.tsx';

/** One person: roles, access, invitation. */
export function PersonDialog({
  personId,
  onClose,
  onGroup,
}: {
  personId: string;
  onClose: () => void;
  /** Shows everybody in a group. */
  onGroup: (name: string) => void;
}) {
  const { t } = useTranslation();
  const api = useApi();
  const person = useQuery(personQuery(api, personId));
  return (
    <Dialog
      open
      kind="wide"
      title={person.data === undefined ? t('PEOPLE.TITLE') : personName(t, person.data)}
      closeLabel={t('COMMON.CLOSE')}
      onClose={onClose}
    >
      {person.isPending ? (
        <Skeleton label={t('PEOPLE.LOADING')} count={6} />
      ) : isProblem(person.error, 'NOT_FOUND', 'INVALID_REQUEST') ? (
        <ErrorState title={t('PEOPLE.PERSON.GONE')}>{t('PEOPLE.PERSON.GONE_TEXT')}</ErrorState>
      ) : person.data === undefined ? (
        <ErrorState title={t('PEOPLE.FAILED.TITLE')} retry={askAgain(t, person).retry}>
          {t('PEOPLE.FAILED.TEXT')}
        </ErrorState>
      ) : (
        <PersonDetails person={person.data} onGroup={onGroup} />
      )}
    </Dialog>
  );
}

function PersonDetails({ person, onGroup }: { person: Person; onGroup: (name: string) => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const can = useCan();
  const me = useCurrentUser();
  const { outsideProvider } = useSignInPlace();
  const mayWrite = can('PEOPLE_WRITE');
  return (
    <>
      <dl className="facts">
        <dt>{t('PEOPLE.EMAIL')}</dt>
        <dd>{person.email}</dd>
        <dt>{t('PEOPLE.STATE')}</dt>
        <dd>
          <PersonStateTag state={person.state} />
        </dd>
        <dt>{t('PEOPLE.PERSON.SINCE')}</dt>
        <dd>{formats.date(person.createdAt)}</dd>
        <dt>{t('PEOPLE.LAST_SEEN')}</dt>
        <dd>
          {person.lastSeenAt === null ? (
            t('PEOPLE.NEVER_SEEN')
          ) : (
            <Time at={person.lastSeenAt} formats={formats} />
          )}
        </dd>
      </dl>
      <HistoryLink subject={person.id} />
      {mayWrite ? (
        <p>
          <Link to="/people/$personId/data" params={{ personId: person.id }}>
            {t('PEOPLE.PERSON.DATA')}
          </Link>
        </p>
      ) : null}
      <EmailDoubt person={person} />
      {mayWrite ? null : <Notice severity="info">{t('PEOPLE.PERSON.READ_ONLY')}</Notice>}
      <Roles person={person} mayWrite={mayWrite} />
      <PersonRights person={person} mayWrite={mayWrite} onGroup={onGroup} />
      {mayWrite && outsideProvider === null && person.state === 'invited' ? (
        <Invitation person={person} />
      ) : null}
      {mayWrite && outsideProvider === null && person.state === 'active' ? (
        <PasswordLinkSection person={person} />
      ) : null}
      {outsideProvider !== null && person.state === 'invited' ? (
        <p className="muted">{t('PEOPLE.PERSON.AWAITED', { provider: outsideProvider })}</p>
      ) : null}
      {mayWrite ? <AccessSection person={person} isMe={person.id === me?.id} /> : null}
    </>
  );
}

function Roles({ person, mayWrite }: { person: Person; mayWrite: boolean }) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const [edited, setEdited] = useState<string[] | null>(null);
  const chosen = edited ?? person.roles;
  const changed =
    chosen.length !== person.roles.length || chosen.some((role) => !person.roles.includes(role));

  const save = useMutation({
    mutationFn: () =>
      api.call(setRoles, {
        params: { personId: person.id },
        body: { roles: chosen, version: person.version },
      }),
    async onSuccess(saved) {
      queries.setQueryData(personQuery(api, person.id).queryKey, saved);
      setEdited(null);
      await queries.invalidateQueries({ queryKey: peopleKey });
      notify({
        kind: 'success',
        title: t('PEOPLE.PERSON.ROLES_SAVED'),
        content: t('PEOPLE.PERSON.ROLES_SAVED_TEXT', { name: personName(t, saved) }),
      });
    },
    async onError(error) {
      if (!isProblem(error, 'VERSION_CONFLICT')) return;
      await queries.invalidateQueries({ queryKey: peopleKey });
      setEdited(null);
    },
  });

  return (
    <section className="section">
      <RoleChoice chosen={chosen} onChosen={setEdited} disabled={!mayWrite || save.isPending} />
      {save.isError ? (
        <Notice severity="high" role="alert">
          {isProblem(save.error, 'VERSION_CONFLICT')
            ? t('PEOPLE.PERSON.CONFLICT')
            : isProblem(save.error, 'LAST_ADMINISTRATOR')
              ? t('PEOPLE.PERSON.LAST_ADMINISTRATOR')
              : problemText(t, save.error)}
        </Notice>
      ) : null}
      {mayWrite ? (
        <div>
          <Button tone="primary" disabled={!changed} busy={save.isPending} onClick={() => save.mutate()}>
            {t('PEOPLE.PERSON.SAVE_ROLES')}
          </Button>
        </div>
      ) : null}
    </section>
  );
}

function Invitation({ person }: { person: Person }) {
  const { t } = useTranslation();
  const api = useApi();
  const renew = useMutation({
    mutationFn: () => api.call(renewInvitation, { params: { personId: person.id } }),
  });
  if (renew.data !== undefined) return <InvitationLink email={person.email} {...renew.data} />;
  return (
    <section className="section">
      <p className="muted">{t('PEOPLE.PERSON.NEW_LINK_HINT')}</p>
      {renew.isError ? (
        <Notice severity="high" role="alert">
          {problemText(t, renew.error)}
        </Notice>
      ) : null}
      <div>
        <Button icon="key" busy={renew.isPending} onClick={() => renew.mutate()}>
          {t('PEOPLE.PERSON.NEW_LINK')}
        </Button>
      </div>
    </section>
  );
}

function AccessSection({ person, isMe }: { person: Person; isMe: boolean }) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const blocked = person.state === 'blocked';
  const name = personName(t, person);
  const change = useMutation({
    mutationFn: () =>
      api.call(setBlocked, {
        params: { personId: person.id },
        body: { blocked: !blocked, version: person.version },
      }),
    async onSuccess(saved) {
      setAsking(false);
      queries.setQueryData(personQuery(api, person.id).queryKey, saved);
      await queries.invalidateQueries({ queryKey: peopleKey });
      notify({
        kind: 'success',
        title: t(blocked ? 'PEOPLE.PERSON.UNBLOCKED' : 'PEOPLE.PERSON.BLOCKED', { name }),
      });
    },
    async onError(error) {
      if (isProblem(error, 'VERSION_CONFLICT')) await queries.invalidateQueries({ queryKey: peopleKey });
    },
  });
  return (
    <section className="section section-divided">
      <h3>{t('PEOPLE.PERSON.ACCESS')}</h3>
      <p className="muted">
        {isMe
          ? t('PEOPLE.PERSON.BLOCK_SELF')
          : t(blocked ? 'PEOPLE.PERSON.UNBLOCK_HINT' : 'PEOPLE.PERSON.BLOCK_HINT')}
      </p>
      <div>
        <Button
          tone={blocked ? 'plain' : 'danger'}
          icon={blocked ? 'check' : 'lock'}
          disabled={isMe}
          onClick={() => setAsking(true)}
        >
          {t(blocked ? 'PEOPLE.PERSON.UNBLOCK' : 'PEOPLE.PERSON.BLOCK')}
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        title={t(blocked ? 'PEOPLE.PERSON.UNBLOCK_TITLE' : 'PEOPLE.PERSON.BLOCK_TITLE', { name })}
        confirmLabel={t(blocked ? 'PEOPLE.PERSON.UNBLOCK' : 'PEOPLE.PERSON.BLOCK')}
        cancelLabel={t('COMMON.CANCEL')}
        closeLabel={t('COMMON.CLOSE')}
        tone={blocked ? 'primary' : 'danger'}
        busy={change.isPending}
        error={
          change.isError
            ? isProblem(change.error, 'LAST_ADMINISTRATOR')
              ? t('PEOPLE.PERSON.LAST_ADMINISTRATOR')
              : problemText(t, change.error)
            : null
        }
        onConfirm={() => change.mutate()}
        onCancel={() => {
          setAsking(false);
          change.reset();
        }}
      >
        <p>{t(blocked ? 'PEOPLE.PERSON.UNBLOCK_TEXT' : 'PEOPLE.PERSON.BLOCK_TEXT', { name })}</p>
      </ConfirmDialog>
    </section>
  );
}
