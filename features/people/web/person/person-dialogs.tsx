import {
  issuePasswordLink,
  type PasswordLink,
} from '#features/identity-provider/contract/identity-provider.ts';
import { resetFactors } from '#features/identity-provider/contract/factors.ts';
import { type Person, renewInvitation, setBlocked } from '#features/people/contract/people.ts';
import {
  endSessionOfPerson,
  endSessionsOfPerson,
  type OwnSession,
} from '#features/session/contract/sessions.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useState } from 'react';
import { browserName } from '#web/platform/browser-name.ts';
import { newEventId } from '#web/platform/calls/event-id.ts';
import { isProblem } from '#web/platform/calls/problem-error.ts';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { useApi, useCurrentUser } from '#web/platform/contexts.tsx';
import { problemsOf, type ProblemWords } from '#web/platform/forms/problems-of.ts';
import { creationUnder } from '#web/platform/forms/versioned-form.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';
import { Dialog, LeaveButton } from '#web/ui/dialog.tsx';
import { Problem } from '#web/ui/notice.tsx';
import { InvitationLink, type LinkUse } from '../invite-dialog.tsx';
import { peopleKey, personQuery } from '../people-queries.ts';
import { RolesDialog } from './person-roles.tsx';
import { personName } from '#web/platform/named-person.ts';
import { useRemoval } from '#web/platform/lists/list-state.ts';

/** What an operator has asked to do to the person; a session: to end it. */
export type Doing = 'password' | 'factors' | 'invitation' | 'block' | 'roles' | 'sign-out' | OwnSession;

type PersonDialogProps = { person: Person; onClose: () => void };

/** The question or the form of the chosen action. */
export function PersonDialogs({ doing, ...props }: PersonDialogProps & { doing: Doing }) {
  if (doing === 'password') return <PasswordLinkDialog {...props} />;
  if (doing === 'factors') return <ResetFactorsDialog {...props} />;
  if (doing === 'invitation') return <InvitationLinkDialog {...props} />;
  if (doing === 'block') return <BlockDialog {...props} />;
  if (doing === 'roles') return <RolesDialog {...props} />;
  if (doing === 'sign-out') return <SignOutDialog {...props} />;
  return <EndSessionDialog session={doing} {...props} />;
}

const accessWords: ProblemWords<never> = {
  fields: {},
  codes: { LAST_ADMINISTRATOR: 'PEOPLE.PERSON.LAST_ADMINISTRATOR' },
};

function BlockDialog({ person, onClose }: PersonDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
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
    <ConfirmAction
      title={t(blocked ? 'PEOPLE.PERSON.UNBLOCK_TITLE' : 'PEOPLE.PERSON.BLOCK_TITLE', { name })}
      confirmLabel={t(blocked ? 'PEOPLE.PERSON.UNBLOCK' : 'PEOPLE.PERSON.BLOCK')}
      tone={blocked ? 'primary' : 'danger'}
      action={change}
      problem={(error) => problemsOf(t, error, accessWords).general}
      done={t(blocked ? 'PEOPLE.PERSON.UNBLOCKED' : 'PEOPLE.PERSON.BLOCKED', { name })}
      onDone={(saved) => {
        onClose();
        queries.setQueryData(personQuery(person.id).queryKey, saved);
        void queries.invalidateQueries({ queryKey: peopleKey });
      }}
      onCancel={onClose}
    >
      <p>{t(blocked ? 'PEOPLE.PERSON.UNBLOCK_TEXT' : 'PEOPLE.PERSON.BLOCK_TEXT', { name })}</p>
    </ConfirmAction>
  );
}

function SignOutDialog({ person, onClose }: PersonDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const isMe = useCurrentUser()?.id === person.id;
  const name = personName(t, person);
  return (
    <ConfirmAction
      title={t('PEOPLE.SIGN_OUT.TITLE', { name })}
      confirmLabel={t('PEOPLE.SIGN_OUT.ACTION')}
      {...useRemoval(peopleKey, onClose)}
      action={() => api.call(endSessionsOfPerson, { params: { personId: person.id } })}
      done={t('PEOPLE.SIGN_OUT.DONE', { name })}
    >
      <p>{t('PEOPLE.SIGN_OUT.TEXT')}</p>
      {isMe ? <p>{t('PEOPLE.SIGN_OUT.YOU')}</p> : null}
    </ConfirmAction>
  );
}

/** For a person who has lost the device with their second factor (SES-12). */
function ResetFactorsDialog({ person, onClose }: PersonDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const name = personName(t, person);
  return (
    <ConfirmAction
      title={t('PEOPLE.FACTORS.TITLE', { name })}
      confirmLabel={t('PEOPLE.FACTORS.ACTION')}
      {...useRemoval(peopleKey, onClose)}
      action={() => api.call(resetFactors, { params: { personId: person.id } })}
      problem={(error) =>
        isProblem(error, 'CONFLICT') ? t('PEOPLE.FACTORS.NONE', { name }) : problemText(t, error)
      }
      done={t('PEOPLE.FACTORS.DONE', { name })}
    >
      <p>{t('PEOPLE.FACTORS.TEXT')}</p>
    </ConfirmAction>
  );
}

function EndSessionDialog({ person, session, onClose }: PersonDialogProps & { session: OwnSession }) {
  const { t } = useTranslation();
  const api = useApi();
  const where = browserName(t, session);
  const params = { personId: person.id, sessionId: session.id };
  return (
    <ConfirmAction
      title={t('PEOPLE.SESSIONS.END_TITLE', { name: personName(t, person), where })}
      confirmLabel={t('PEOPLE.SESSIONS.END')}
      {...useRemoval(peopleKey, onClose)}
      action={() =>
        api.call(endSessionOfPerson, { params }).catch((error: unknown) => {
          // The session has already ended, as intended.
          if (!isProblem(error, 'NOT_FOUND')) throw error;
        })
      }
      done={t('PEOPLE.SESSIONS.ENDED', { where })}
    >
      <p>{t('PEOPLE.SIGN_OUT.TEXT')}</p>
    </ConfirmAction>
  );
}

/** A link for a person who has forgotten their password (SES-3). */
function PasswordLinkDialog({ person, onClose }: PersonDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  return (
    <LinkDialog
      person={person}
      use="new-password"
      title={t('PEOPLE.PASSWORD_LINK.TITLE')}
      hint={t('PEOPLE.PASSWORD_LINK.HINT')}
      action={t('PEOPLE.PASSWORD_LINK.MAKE')}
      make={(creation) =>
        api.call(issuePasswordLink, { params: { personId: person.id } }, creationUnder(creation))
      }
      problem={(error) =>
        isProblem(error, 'NOT_FOUND')
          ? t('PEOPLE.PASSWORD_LINK.ELSEWHERE', { name: personName(t, person) })
          : problemText(t, error)
      }
      onClose={onClose}
    />
  );
}

/** A new link for a person who has not used theirs. */
function InvitationLinkDialog({ person, onClose }: PersonDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  return (
    <LinkDialog
      person={person}
      use="invitation"
      title={t('PEOPLE.PERSON.NEW_LINK')}
      hint={t('PEOPLE.PERSON.NEW_LINK_HINT')}
      action={t('PEOPLE.PERSON.NEW_LINK')}
      make={(creation) =>
        api.call(renewInvitation, { params: { personId: person.id } }, creationUnder(creation))
      }
      problem={(error) => problemText(t, error)}
      onClose={onClose}
    />
  );
}

type LinkDialogProps = PersonDialogProps & {
  use: LinkUse;
  title: string;
  hint: string;
  action: string;
  make: (creation: string) => Promise<PasswordLink>;
  problem: (error: unknown) => string | undefined;
};

function LinkDialog({ person, use, title, hint, action, make, problem, onClose }: LinkDialogProps) {
  const { t } = useTranslation();
  const [creation] = useState(newEventId);
  const made = useMutation({ mutationFn: () => make(creation) });
  return (
    <Dialog
      title={title}
      busy={made.isPending}
      onClose={onClose}
      footer={
        made.data === undefined ? (
          <>
            <LeaveButton tone="quiet">{t('COMMON.CANCEL')}</LeaveButton>
            <Button tone="primary" icon="key" busy={made.isPending} onClick={() => made.mutate()}>
              {action}
            </Button>
          </>
        ) : (
          <LeaveButton tone="primary">{t('PEOPLE.INVITATION.DONE')}</LeaveButton>
        )
      }
    >
      {made.data === undefined ? (
        <>
          <Problem>{made.isError ? problem(made.error) : null}</Problem>
          <p>{hint}</p>
        </>
      ) : (
        <InvitationLink use={use} email={person.email} {...made.data} />
      )}
    </Dialog>
  );
}
