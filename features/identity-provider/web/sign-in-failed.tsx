import type { SignInFailure } from '#contract/pages.ts';
import { useTranslation } from 'react-i18next';
import { LinkButton } from '#web/ui/button.tsx';
import { Message } from './sending.tsx';
import { base } from '#web/platform/base.ts';

type SignInFailedProps = {
  reason: SignInFailure;
  startOver: string;
  /** The name of the provider; null: the embedded one. */
  provider: string | null;
};

/** Why a sign-in failed (SES-1, SES-4, SES-8), with a link to try again. */
export function SignInFailed({ reason, startOver, provider }: SignInFailedProps) {
  const { t } = useTranslation();
  const words: Record<SignInFailure, { title: string; text: string }> = {
    blocked: { title: t('SIGN_IN.BLOCKED.TITLE'), text: t('SIGN_IN.BLOCKED.TEXT') },
    failed: { title: t('SIGN_IN.FAILED.TITLE'), text: t('SIGN_IN.FAILED.TEXT') },
    unreachable: { title: t('SIGN_IN.UNREACHABLE.TITLE'), text: t('SIGN_IN.UNREACHABLE.TEXT') },
    refused: { title: t('SIGN_IN.REFUSED.TITLE'), text: t('SIGN_IN.REFUSED.TEXT') },
    misconfigured: { title: t('SIGN_IN.MISCONFIGURED.TITLE'), text: t('SIGN_IN.MISCONFIGURED.TEXT') },
    'signed-out': { title: t('SIGN_IN.SIGNED_OUT.TITLE'), text: t('SIGN_IN.SIGNED_OUT.TEXT') },
    cookies: { title: t('SIGN_IN.COOKIES.TITLE'), text: t('SIGN_IN.COOKIES.TEXT') },
    'hand-over': { title: t('SIGN_IN.HAND_OVER.TITLE'), text: t('SIGN_IN.HAND_OVER.TEXT') },
    'not-operator': {
      title: t('SIGN_IN.NOT_OPERATOR.TITLE'),
      text: t('SIGN_IN.NOT_OPERATOR.TEXT', { provider: provider ?? '' }),
    },
    userinfo: {
      title: t('SIGN_IN.USERINFO.TITLE'),
      text: t('SIGN_IN.USERINFO.TEXT', { provider: provider ?? '' }),
    },
  };
  const { title, text } = words[reason];
  const isSignedIn = reason === 'not-operator' || reason === 'userinfo';
  return (
    <Message
      title={title}
      action={
        isSignedIn ? (
          <LinkButton tone="primary" wide href={`${base}/`}>
            {t(reason === 'userinfo' ? 'SIGN_IN.USERINFO.ACTION' : 'SIGN_IN.NOT_OPERATOR.ACTION')}
          </LinkButton>
        ) : (
          <LinkButton tone={reason === 'blocked' ? 'plain' : 'primary'} wide href={startOver}>
            {reason === 'signed-out' ? t('SIGN_IN.ACTION') : t('SIGN_IN.TRY_AGAIN')}
          </LinkButton>
        )
      }
    >
      <p>{text}</p>
    </Message>
  );
}
