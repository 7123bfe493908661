import { renewInvitation, setBlocked, setRoles, type Person } from '@portico/contract/people';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { askAgain } from '../../platform/calls/ask-again.ts';
import { useApi, useCan, useCurrentUser, useSignInPlace } from '../../platform/contexts.tsx';
import { HistoryLink } from '../../platform/lists/history-link.tsx';
import { useFormats } from '../../platform/i18n/formats-context.tsx';
import { isProblem } from '../../platform/calls/problem-error.ts';
import { problemText } from '../../platform/calls/problem-text.ts';
import { problemsOf, type ProblemWords } from '../../platform/forms/problems-of.ts';
import { useVersionedForm } from '../../platform/forms/versioned-form.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmAction } from '../../ui/confirm-action.tsx';
import { Dialog, useLossInDialog } from '../../ui/dialog.tsx';
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

const accessWords: ProblemWords<never> = {
  fields: {},
  codes: { LAST_ADMINISTRATOR: 'PEOPLE.PERSON.LAST_ADMINISTRATOR' },
};

const rolesWords: ProblemWords<never> = {
  fields: {},
  codes: { ...accessWords.codes, VERSION_CONFLICT: 'PEOPLE.PERSON.CONFLICT' },
};

/** One person: roles, access, invitation. */
export function PersonDialog({
  personId,
  onClose,
  onGroup,
}: {
  personId: string;
  onClose: () => void;
  /** Shows all people of a group. */
  onGroup: (name: string) => void;
}) {
  const { t } = useTranslation();
  const api = useApi();
  const person = useQuery(personQuery(api, personId));
  const gone = isProblem(person.error, 'NOT_FOUND', 'INVALID_REQUEST');
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
      ) : gone && person.data === undefined ? (
        <ErrorState title={t('PEOPLE.PERSON.GONE')}>{t('PEOPLE.PERSON.GONE_TEXT')}</ErrorState>
      ) : person.data === undefined ? (
        <ErrorState title={t('PEOPLE.FAILED.TITLE')} retry={askAgain(t, person).retry}>
          {t('PEOPLE.FAILED.TEXT')}
        </ErrorState>
      ) : (
        <PersonDetails person={person.data} gone={gone} onGroup={onGroup} />
      )}
    </Dialog>
  );
}

type PersonDetailsProps = {
  person: Person;
  /** Erased meanwhile: shown as it was, with what is typed. */
  gone: boolean;
  onGroup: (name: string) => void;
};

function PersonDetails({ person, gone, onGroup }: PersonDetailsProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const can = useCan();
  const me = useCurrentUser();
  const { outsideProvider } = useSignInPlace();
  const mayWrite = can('PEOPLE_WRITE') && !gone;
  return (
    <>
      {gone ? (
        <Notice severity="medium" role="alert">
          {t('COMMON.GONE')}
        </Notice>
      ) : null}
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
      {mayWrite || gone ? null : <Notice severity="info">{t('PEOPLE.PERSON.READ_ONLY')}</Notice>}
      <Roles person={person} mayWrite={mayWrite} />
      <PersonRights person={person} gone={gone} mayWrite={mayWrite} onGroup={onGroup} />
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
  const form = useVersionedForm({
    saved: { values: { roles: person.roles }, version: person.version },
    same: (one, other) =>
      one.roles.length === other.roles.length && one.roles.every((role) => other.roles.includes(role)),
    save: (values, version) =>
      api.call(setRoles, { params: { personId: person.id }, body: { ...values, version } }),
    async onSaved(saved) {
      queries.setQueryData(personQuery(api, person.id).queryKey, saved);
      await queries.invalidateQueries({ queryKey: peopleKey });
      notify({
        kind: 'success',
        title: t('PEOPLE.PERSON.ROLES_SAVED'),
        content: t('PEOPLE.PERSON.ROLES_SAVED_TEXT', { name: personName(t, saved) }),
      });
    },
    follows: true,
    reload: peopleKey,
  });
  useLossInDialog(form.typed ? 'typed' : null);
  const problem = problemsOf(t, form.error, rolesWords).general;

  return (
    <section className="section">
      <RoleChoice
        chosen={form.values.roles}
        onChosen={(roles) => form.set({ roles })}
        disabled={!mayWrite || form.busy}
      />
      {problem === undefined ? null : (
        <Notice severity="high" role="alert">
          {problem}
        </Notice>
      )}
      {mayWrite ? (
        <div>
          <Button tone="primary" disabled={!form.typed} busy={form.busy} onClick={() => form.save()}>
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

  async function change(): Promise<Person> {
    const params = { personId: person.id };
    const body = { blocked: !blocked, version: person.version };
    return api.call(setBlocked, { params, body }).catch(async (error: unknown) => {
      if (isProblem(error, 'VERSION_CONFLICT')) await queries.invalidateQueries({ queryKey: peopleKey });
      throw error;
    });
  }

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
      {asking ? (
        <ConfirmAction
          title={t(blocked ? 'PEOPLE.PERSON.UNBLOCK_TITLE' : 'PEOPLE.PERSON.BLOCK_TITLE', { name })}
          confirmLabel={t(blocked ? 'PEOPLE.PERSON.UNBLOCK' : 'PEOPLE.PERSON.BLOCK')}
          tone={blocked ? 'primary' : 'danger'}
          action={change}
          problem={(error) => problemsOf(t, error, accessWords).general}
          done={t(blocked ? 'PEOPLE.PERSON.UNBLOCKED' : 'PEOPLE.PERSON.BLOCKED', { name })}
          onDone={(saved) => {
            setAsking(false);
            queries.setQueryData(personQuery(api, person.id).queryKey, saved);
            void queries.invalidateQueries({ queryKey: peopleKey });
          }}
          onCancel={() => setAsking(false)}
        >
          <p>{t(blocked ? 'PEOPLE.PERSON.UNBLOCK_TEXT' : 'PEOPLE.PERSON.BLOCK_TEXT', { name })}</p>
        </ConfirmAction>
      ) : null}
    </section>
  );
}
