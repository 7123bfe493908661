import { readFields } from '../../platform/kept-work.ts';

/** An invitation as it stands in its form. */
export type InvitationDraft = { email: string; firstName: string; lastName: string; roles: string[] };

/** Under which name what is typed is kept. */
export const invitationWork = 'invitation';

export const emptyInvitation: InvitationDraft = { email: '', firstName: '', lastName: '', roles: ['member'] };

/** Whether nothing has been typed. */
export function isUntouched({ email, firstName, lastName, roles }: InvitationDraft): boolean {
  return `${email}${firstName}${lastName}` === '' && roles.join() === emptyInvitation.roles.join();
}

/** An invitation that was kept; null: it is none of this release. */
export function readInvitation(kept: unknown): InvitationDraft | null {
  const draft = readFields(emptyInvitation, kept);
  return draft === null ? null : { ...draft, roles: draft.roles.filter((role) => typeof role === 'string') };
}
