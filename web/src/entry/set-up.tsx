import texts from 'virtual:texts/ACCOUNT+DOOR+SET_UP+SIGN_IN';
import { login } from '#features/session/contract/session.ts';
import { useTranslation } from 'react-i18next';
import { useLinkToken } from '#features/identity-provider/web/one-time-link/link-token.ts';
import { SetUp } from '#features/identity-provider/web/one-time-link/set-up.tsx';
import { EntryFrame } from './entry-frame.tsx';
import { type EntryPageProps, openEntry, useWindowTitle } from './entry.tsx';
import { base } from '../platform/base.ts';

function SetUpPage({ api, memory, chooseLanguage }: EntryPageProps) {
  const { t } = useTranslation();
  const token = useLinkToken();
  // The server adds this element to the page once there is an operator.
  const claimed = document.querySelector('meta[name="portico-claimed"]') !== null;
  // This element names the provider when people sign in at another one.
  const outside = document.querySelector<HTMLMetaElement>('meta[name="portico-provider"]');
  useWindowTitle(t('SET_UP.WINDOW'));
  return (
    <EntryFrame chooseLanguage={chooseLanguage}>
      <SetUp
        api={api}
        memory={memory}
        token={token}
        claimed={claimed}
        signIn={base + login.path}
        provider={outside?.content ?? null}
      />
    </EntryFrame>
  );
}

openEntry(SetUpPage, texts);
