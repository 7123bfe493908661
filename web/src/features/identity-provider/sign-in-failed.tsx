import type { SignInFailure } from '@portico/contract/pages';
import { useTranslation } from 'react-i18next';
import { LinkButton } from '../../ui/button.tsx';
import { Message } from './message.tsx';

type SignInFailedProps = { reason: SignInFailure; startOver: string };

/** Why a sign-in led nowhere (SES-1, SES-8), with the way to another one. */
export function SignInFailed({ reason, startOver }: SignInFailedProps) {
  const { t } = useTranslation();
  const blocked = reason === 'blocked';
  return (
    <Message
      title={blocked ? t('SIGN_IN.BLOCKED.TITLE') : t('SIGN_IN.FAILED.TITLE')}
      action={
        <LinkButton tone={blocked ? 'plain' : 'primary'} wide href={startOver}>
          {t('SIGN_IN.TRY_AGAIN')}
        </LinkButton>
      }
    >
      <p>{blocked ? t('SIGN_IN.BLOCKED.TEXT') : t('SIGN_IN.FAILED.TEXT')}</p>
    </Message>
  );
}
