import type { ProblemWords } from '#web/platform/forms/problems-of.ts';

/** An invitation as typed in its form. */
export type InvitationDraft = { email: string; firstName: string; lastName: string; roles: string[] };

/** The name under which the form is stored. */
export const invitationWork = 'invitation';

export const emptyInvitation: InvitationDraft = { email: '', firstName: '', lastName: '', roles: ['member'] };

/** The stored form, without invalid roles. */
export function readStoredInvitation(draft: InvitationDraft): InvitationDraft {
  return { ...draft, roles: draft.roles.filter((role) => typeof role === 'string') };
}

export const invitationWords: ProblemWords<'email' | 'firstName' | 'lastName'> = {
  fields: {
    email: { taken: 'PEOPLE.INVITATION.KNOWN', else: 'PEOPLE.INVITATION.INVALID_EMAIL' },
    firstName: 'PEOPLE.INVITATION.INVALID_NAME',
    lastName: 'PEOPLE.INVITATION.INVALID_NAME',
  },
};
