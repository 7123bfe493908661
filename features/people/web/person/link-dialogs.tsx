import {
  issuePasswordLink,
  type PasswordLink,
} from '#features/identity-provider/contract/identity-provider.ts';
import { renewInvitation, type Person } from '#features/people/contract/people.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newEventId } from '#web/platform/calls/event-id.ts';
import { creationUnder } from '#web/platform/forms/versioned-form.ts';
import { isProblem } from '#web/platform/calls/problem-error.ts';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { useApi } from '#web/platform/contexts.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog, LeaveButton } from '#web/ui/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { InvitationLink } from '../invitation-link.tsx';
import { personName } from '../person-name.ts';
import type { LinkUse } from '../password-link-words.ts';

type PersonDialogProps = { person: Person; onClose: () => void };

/** A link for a person who has forgotten their password (SES-3). */
export function PasswordLinkDialog({ person, onClose }: PersonDialogProps) {
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
export function InvitationLinkDialog({ person, onClose }: PersonDialogProps) {
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
      open
      title={title}
      closeLabel={t('COMMON.CLOSE')}
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
          {made.isError ? (
            <Notice severity="high" role="alert">
              {problem(made.error)}
            </Notice>
          ) : null}
          <p>{hint}</p>
        </>
      ) : (
        <InvitationLink use={use} email={person.email} {...made.data} />
      )}
    </Dialog>
  );
}
