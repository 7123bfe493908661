import texts from 'virtual:texts/ACCOUNT+DOOR+INVITATION+MAINTENANCE.BANNER+MAINTENANCE.PAGE+SIGN_IN';
import { login } from '#features/session/contract/session.ts';
import { useTranslation } from 'react-i18next';
import { Invitation } from '#features/identity-provider/web/one-time-link/invitation.tsx';
import { useLinkToken } from '#features/identity-provider/web/one-time-link/link-token.ts';
import { EntryFrame } from './entry-frame.tsx';
import { type EntryPageProps, openEntry, useWindowTitle } from './entry.tsx';
import { base } from '../platform/base.ts';
import { returnTo, signInAt } from './way-back.ts';

function InvitationPage({ api, memory, chooseLanguage }: EntryPageProps) {
  const { t } = useTranslation();
  const token = useLinkToken();
  useWindowTitle(t('INVITATION.WINDOW'));
  return (
    <EntryFrame chooseLanguage={chooseLanguage}>
      <Invitation
        api={api}
        memory={memory}
        token={token}
        signIn={returnTo === null ? base + login.path : signInAt(returnTo)}
      />
    </EntryFrame>
  );
}

openEntry(InvitationPage, texts, {
  loadAbove: async () => (await import('./maintenance-above.tsx')).MaintenanceAbove,
});
