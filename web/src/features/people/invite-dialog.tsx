import { invitePerson } from '@portico/contract/people';
import type { Role } from '@portico/contract/permissions';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../platform/contexts.tsx';
import { isProblem } from '../../platform/problem-error.ts';
import { problemText } from '../../platform/problem-text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { InvitationLink } from './invitation-link.tsx';
import { peopleKey } from './people-queries.ts';
import { RoleChoice } from './role-choice.tsx';

/** Invites somebody; ends with the link, which is shown this once. */
export function InviteDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return open ? <OpenInviteDialog onClose={onClose} /> : null;
}

function OpenInviteDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const [email, setEmail] = useState('');
  const [firstName, setFirstName] = useState('');
  const [lastName, setLastName] = useState('');
  const [roles, setRoles] = useState<Role[]>(['member']);
  const invite = useMutation({
    mutationFn: () => api.call(invitePerson, { body: { email, firstName, lastName, roles } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: peopleKey }),
  });

  const wrong = (pointer: string) =>
    isProblem(invite.error, 'INVALID_BODY') && invite.error.errors.some((one) => one.pointer === pointer);
  const known = isProblem(invite.error, 'CONFLICT');
  const elsewhere = invite.isError && !known && !isProblem(invite.error, 'INVALID_BODY');

  if (invite.data !== undefined) {
    return (
      <Dialog
        open
        title={t('PEOPLE.INVITATION.TITLE')}
        closeLabel={t('COMMON.CLOSE')}
        onClose={onClose}
        footer={<Button onClick={onClose}>{t('PEOPLE.INVITATION.DONE')}</Button>}
      >
        <InvitationLink email={invite.data.person.email} {...invite.data.invitation} />
      </Dialog>
    );
  }
  return (
    <Dialog
      open
      title={t('PEOPLE.INVITATION.TITLE')}
      closeLabel={t('COMMON.CLOSE')}
      onClose={onClose}
      busy={invite.isPending}
      onSubmit={() => invite.mutate()}
      footer={
        <>
          <Button tone="quiet" onClick={onClose}>
            {t('COMMON.CANCEL')}
          </Button>
          <Button tone="primary" type="submit" busy={invite.isPending}>
            {t('PEOPLE.INVITATION.SEND')}
          </Button>
        </>
      }
    >
      {elsewhere ? (
        <Notice severity="high" role="alert">
          {problemText(t, invite.error)}
        </Notice>
      ) : null}
      <Field
        label={t('PEOPLE.EMAIL')}
        required
        requiredMark={t('COMMON.REQUIRED')}
        error={
          known ? t('PEOPLE.INVITATION.KNOWN') : wrong('/email') ? t('PEOPLE.INVITATION.INVALID_EMAIL') : null
        }
      >
        {(control) => (
          <TextInput
            {...control}
            type="email"
            autoComplete="off"
            maxLength={254}
            value={email}
            onValue={setEmail}
          />
        )}
      </Field>
      <div className="field-row">
        <Field
          label={t('PEOPLE.INVITATION.FIRST_NAME')}
          error={wrong('/firstName') ? t('PEOPLE.INVITATION.INVALID_NAME') : null}
        >
          {(control) => (
            <TextInput
              {...control}
              autoComplete="off"
              maxLength={100}
              value={firstName}
              onValue={setFirstName}
            />
          )}
        </Field>
        <Field
          label={t('PEOPLE.INVITATION.LAST_NAME')}
          error={wrong('/lastName') ? t('PEOPLE.INVITATION.INVALID_NAME') : null}
        >
          {(control) => (
            <TextInput
              {...control}
              autoComplete="off"
              maxLength={100}
              value={lastName}
              onValue={setLastName}
            />
          )}
        </Field>
      </div>
      <RoleChoice chosen={roles} onChosen={setRoles} />
    </Dialog>
  );
}
