import { invitePerson } from '@portico/contract/people';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../platform/contexts.tsx';
import { useFoundWork, useKeepWork } from '../../platform/kept-work.ts';
import { isProblem } from '../../platform/problem-error.ts';
import { problemText } from '../../platform/problem-text.ts';
import { useUnsavedWork } from '../../platform/unsaved-work.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RestoredWork } from '../../ui/restored-work.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import {
  emptyInvitation,
  type InvitationDraft,
  invitationWork,
  isUntouched,
  readInvitation,
} from './invitation-draft.ts';
import { AwaitedThere } from './awaited-there.tsx';
import { InvitationLink } from './invitation-link.tsx';
import { peopleKey } from './people-queries.ts';
import { RoleChoice } from './role-choice.tsx';

/** Invites somebody; ends with the link, which is shown this once, or with where they sign in. */
export function InviteDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return open ? <OpenInviteDialog onClose={onClose} /> : null;
}

function OpenInviteDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const work = useFoundWork(invitationWork, readInvitation);
  const [restored, setRestored] = useState(work.found !== null);
  const [draft, setDraft] = useState(work.found ?? emptyInvitation);
  const { email, firstName, lastName, roles } = draft;
  const set = (change: Partial<InvitationDraft>) => setDraft((now) => ({ ...now, ...change }));
  const invite = useMutation({
    mutationFn: () => api.call(invitePerson, { body: draft }),
    onSuccess: () => queries.invalidateQueries({ queryKey: peopleKey }),
  });
  const unsaved = invite.data === undefined && !isUntouched(draft);
  useUnsavedWork(unsaved);
  useKeepWork(invitationWork, unsaved ? draft : null);
  const giveUp = () => {
    work.forget();
    onClose();
  };

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
        {invite.data.invitation === null ? (
          <AwaitedThere email={invite.data.person.email} />
        ) : (
          <InvitationLink email={invite.data.person.email} {...invite.data.invitation} />
        )}
      </Dialog>
    );
  }
  return (
    <Dialog
      open
      title={t('PEOPLE.INVITATION.TITLE')}
      closeLabel={t('COMMON.CLOSE')}
      onClose={giveUp}
      busy={invite.isPending}
      onSubmit={() => invite.mutate()}
      footer={
        <>
          <Button tone="quiet" onClick={giveUp}>
            {t('COMMON.CANCEL')}
          </Button>
          <Button tone="primary" type="submit" busy={invite.isPending}>
            {t('PEOPLE.INVITATION.SEND')}
          </Button>
        </>
      }
    >
      {restored ? (
        <RestoredWork
          text={t('COMMON.RESTORED.TEXT')}
          discard={t('COMMON.RESTORED.DISCARD')}
          onDiscard={() => {
            setRestored(false);
            setDraft(emptyInvitation);
          }}
        />
      ) : null}
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
            onValue={(value) => set({ email: value })}
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
              onValue={(value) => set({ firstName: value })}
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
              onValue={(value) => set({ lastName: value })}
            />
          )}
        </Field>
      </div>
      <RoleChoice chosen={roles} onChosen={(chosen) => set({ roles: chosen })} />
    </Dialog>
  );
}
