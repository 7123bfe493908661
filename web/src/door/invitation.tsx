import { login } from '@portico/contract/session';
import { useTranslation } from 'react-i18next';
import { Invitation } from '../features/identity-provider/one-time-link/invitation.tsx';
import { useLinkToken } from '../features/identity-provider/one-time-link/link-token.ts';
import type { Catalogue } from '../platform/i18n/i18n.ts';
import { DoorFrame } from './door-frame.tsx';
import { type DoorPageProps, openDoor, useWindowTitle } from './door.tsx';

function InvitationPage({ api, memory, chooseLanguage }: DoorPageProps) {
  const { t } = useTranslation();
  const token = useLinkToken();
  useWindowTitle(t('INVITATION.WINDOW'));
  return (
    <DoorFrame chooseLanguage={chooseLanguage}>
      <Invitation api={api} memory={memory} token={token} signIn={login.path} />
    </DoorFrame>
  );
}

openDoor(
  InvitationPage,
  import.meta.glob<Catalogue>('../features/identity-provider/**/texts/*.json', { import: 'default' }),
);
