import { invitePerson } from '#features/people/contract/people.ts';
import { useTranslation } from 'react-i18next';
import { useApi, useFormats, useSignInPlace } from '#web/platform/contexts.tsx';
import { problemsOf, type ProblemWords } from '#web/platform/forms/problems-of.ts';
import { useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { Dialog, LeaveButton } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { peopleKey } from './people-queries.ts';
import { RoleChoice } from './person/person-roles.tsx';
import type { MailOutcome, PasswordLink } from '#features/identity-provider/contract/identity-provider.ts';
import type { TFunction } from 'i18next';
import { CopyText } from '#web/ui/copy-button.tsx';

/** What a link is for: a person's first password, or another one. */
export type LinkUse = 'invitation' | 'new-password';

const titles: Record<Exclude<MailOutcome, 'off'>, string> = {
  sent: 'PEOPLE.INVITATION.MAIL_SENT',
  waiting: 'PEOPLE.INVITATION.MAIL_WAITING',
  failed: 'PEOPLE.INVITATION.MAIL_FAILED',
};

const texts: Record<MailOutcome, string> = {
  off: 'PEOPLE.INVITATION.READY_TEXT',
  sent: 'PEOPLE.INVITATION.MAIL_SENT_TEXT',
  waiting: 'PEOPLE.INVITATION.MAIL_WAITING_TEXT',
  failed: 'PEOPLE.INVITATION.MAIL_FAILED_TEXT',
};

/** A link that works once, to be handed on by the operator who made it. */
export function InvitationLink({
  use = 'invitation',
  email,
  link,
  expiresAt,
  mail,
}: PasswordLink & { use?: LinkUse; email: string }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const words = passwordLinkWords(t, use, mail, email);
  return (
    <>
      <Notice
        severity={mail === 'off' || mail === 'sent' ? 'ok' : mail === 'waiting' ? 'medium' : 'high'}
        role="status"
        title={words.title}
      />
      <p>{t(texts[mail], { until: formats.dateTime(expiresAt) })}</p>
      <CopyText
        text={link}
        // A link that was also sent by mail is not lost.
        once={mail === 'off' || mail === 'failed'}
        label={words.label}
        copy={t('PEOPLE.INVITATION.COPY')}
      />
    </>
  );
}

/** The heading of a link, and the label of its field. */
export function passwordLinkWords(
  t: TFunction,
  use: LinkUse,
  mail: MailOutcome,
  email: string,
): { title: string; label: string } {
  const ready = use === 'invitation' ? 'PEOPLE.INVITATION.READY' : 'PEOPLE.PASSWORD_LINK.READY';
  return {
    title: t(mail === 'off' ? ready : titles[mail], { email }),
    label: t(use === 'invitation' ? 'PEOPLE.INVITATION.LINK' : 'PEOPLE.PASSWORD_LINK.LINK'),
  };
}

/** Invites a person; ends with the link, which is shown this once, or with where they sign in. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const api = useApi();
  const form = useVersionedForm({
    saved: { values: emptyInvitation },
    storedAs: invitationWork,
    readStored: readStoredInvitation,
    save: (values, _version, _extra, creation) => api.call(invitePerson, { body: values }, creation),
    lists: peopleKey,
  });
  const { roles } = form.values;
  const invited = form.result;
  const problems = problemsOf(t, form.error, invitationWords);

  if (invited !== undefined) {
    return (
      <Dialog
        title={t('PEOPLE.INVITATION.TITLE')}
        onClose={onClose}
        footer={<LeaveButton>{t('PEOPLE.INVITATION.DONE')}</LeaveButton>}
      >
        {invited.invitation === null ? (
          <OutsideSignIn email={invited.person.email} />
        ) : (
          <InvitationLink email={invited.person.email} {...invited.invitation} />
        )}
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={t('PEOPLE.INVITATION.TITLE')}
      form={form}
      problem={problems.general}
      action={t('PEOPLE.INVITATION.SEND')}
      onClose={onClose}
    >
      <TextField
        label={t('PEOPLE.EMAIL')}
        required
        error={problems.email}
        type="email"
        autoComplete="off"
        maxLength={254}
        {...form.field('email')}
      />
      <div className="field-row">
        <TextField
          label={t('PEOPLE.INVITATION.FIRST_NAME')}
          error={problems.firstName}
          autoComplete="off"
          maxLength={100}
          {...form.field('firstName')}
        />
        <TextField
          label={t('PEOPLE.INVITATION.LAST_NAME')}
          error={problems.lastName}
          autoComplete="off"
          maxLength={100}
          {...form.field('lastName')}
        />
      </div>
      <RoleChoice chosen={roles} onChosen={(chosen) => form.set({ roles: chosen })} />
    </FormDialog>
  );
}

/** Where people sign in at another provider: how an invited person signs in. */
function OutsideSignIn({ email }: { email: string }) {
  const { t } = useTranslation();
  return (
    <>
      <Notice severity="ok" role="status" title={t('PEOPLE.INVITATION.AWAITED', { email })} />
      <p>{t('PEOPLE.INVITATION.AWAITED_TEXT', { provider: useSignInPlace().outsideProvider ?? '' })}</p>
    </>
  );
}

/** An invitation as typed in its form. */
type InvitationDraft = { email: string; firstName: string; lastName: string; roles: string[] };

/** The name under which the form is stored. */
export const invitationWork = 'invitation';

const emptyInvitation: InvitationDraft = { email: '', firstName: '', lastName: '', roles: ['member'] };

/** The stored form, without invalid roles. */
function readStoredInvitation(draft: InvitationDraft): InvitationDraft {
  return { ...draft, roles: draft.roles.filter((role) => typeof role === 'string') };
}

const invitationWords: ProblemWords<'email' | 'firstName' | 'lastName'> = {
  fields: {
    email: { taken: 'PEOPLE.INVITATION.KNOWN', else: 'PEOPLE.INVITATION.INVALID_EMAIL' },
    firstName: 'PEOPLE.INVITATION.INVALID_NAME',
    lastName: 'PEOPLE.INVITATION.INVALID_NAME',
  },
};
