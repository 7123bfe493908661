import {
  addFactorAtSignIn,
  beginFactorAtSignIn,
  type FactorKind,
  passkeyOptionsAtSignIn,
  signInByCode,
  signInByPasskey,
} from '#features/identity-provider/contract/factors.ts';
import type { SecondStep as Step } from '#features/identity-provider/contract/identity-provider.ts';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Api } from '#web/platform/calls/call.ts';
import { useBranding } from '#web/platform/branding.ts';
import { isProblem } from '#web/platform/calls/problem-error.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Checkbox } from '#web/ui/text-input.tsx';
import { FormProblem, textOf } from '../form-problem.tsx';
import { useSending } from '../sending.tsx';
import { AddFactor, CodeField, RecoveryCodes } from './add-factor.tsx';
import { isCeremonyError, knowsPasskeys, askPasskey } from './passkey-ceremony.ts';

type SecondStepProps = {
  api: Pick<Api, 'call'>;
  uid: string;
  second: Step;
  /** The address that starts a new sign-in. */
  startOver: string;
};

/** What comes after the password: a passkey, a code, or a first second factor (SES-10 to SES-12). */
export function SecondStep(props: SecondStepProps) {
  return props.second.kind === 'prove' ? <Prove {...props} /> : <Enrol {...props} />;
}

/** The heading takes the focus, which was on the form before. */
function Title({ children }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}

function Prove({ api, uid, second, startOver }: SecondStepProps) {
  const { t } = useTranslation();
  const [code, setCode] = useState('');
  const [remember, setRemember] = useState(false);
  const [missed, setMissed] = useState(false);
  const { busy, problem, send, forget } = useSending();
  const { step } = second;
  const params = { uid };
  const wrong = isProblem(problem, 'UNAUTHENTICATED');
  const passkey = second.passkey && knowsPasskeys();

  function byPasskey(): void {
    setMissed(false);
    send(async () => {
      const { options } = await api.call(passkeyOptionsAtSignIn, { params, body: { step } });
      const answer = await askPasskey(options);
      const { next } = await api.call(signInByPasskey, { params, body: { step, answer, remember } });
      return { next: next + window.location.hash };
    });
  }

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    // Read from the field: a phone may have filled it in without an event.
    const typed = textOf(new FormData(event.currentTarget), 'code');
    setMissed(typed.trim() === '');
    if (typed.trim() === '') return forget();
    send(async () => {
      const { next } = await api.call(signInByCode, { params, body: { step, code: typed, remember } });
      return { next: next + window.location.hash };
    });
  }

  return (
    <>
      <Title>{t('FACTORS.PROVE.TITLE')}</Title>
      <form className="entry-form stack gap-4" method="post" noValidate onSubmit={submit}>
        {problem === null || (wrong && second.code) ? null : isCeremonyError(problem.cause) ? (
          <Notice severity="medium" role="alert">
            {t('FACTORS.PASSKEY.NONE_USED')}
          </Notice>
        ) : wrong ? (
          <Notice severity="high" role="alert">
            {t('FACTORS.PASSKEY.REFUSED')}
          </Notice>
        ) : isProblem(problem, 'LINK_INVALID') ? (
          <Notice severity="high" role="alert">
            {t('SIGN_IN.EXPIRED.TITLE')}
          </Notice>
        ) : (
          <FormProblem problem={problem} />
        )}
        {passkey ? (
          <Button tone="primary" icon="key" wide busy={busy} onClick={byPasskey}>
            {t('FACTORS.PASSKEY.USE')}
          </Button>
        ) : null}
        {second.code ? (
          <CodeField
            label={t('FACTORS.PROVE.CODE')}
            hint={t('FACTORS.PROVE.CODE_HINT')}
            value={code}
            onValue={setCode}
            error={missed ? t('FACTORS.PROVE.CODE_REQUIRED') : wrong ? t('FACTORS.PROVE.WRONG') : null}
          />
        ) : passkey ? null : (
          <Notice severity="medium">{t('FACTORS.PROVE.NO_WAY')}</Notice>
        )}
        {second.rememberDays === 0 ? null : (
          <Checkbox
            label={t(second.rememberDays === 1 ? 'FACTORS.PROVE.REMEMBER_DAY' : 'FACTORS.PROVE.REMEMBER', {
              days: second.rememberDays,
            })}
            checked={remember}
            onChecked={setRemember}
          />
        )}
        {second.code ? (
          <Button type="submit" tone={passkey ? 'plain' : 'primary'} wide busy={busy}>
            {t('SIGN_IN.ACTION')}
          </Button>
        ) : null}
      </form>
      <LinkButton tone="quiet" wide href={startOver}>
        {t('FACTORS.PROVE.OTHER_ACCOUNT')}
      </LinkButton>
      <p className="muted small">{t('FACTORS.PROVE.LOST')}</p>
    </>
  );
}

function Enrol({ api, uid, second, startOver }: SecondStepProps) {
  const { t } = useTranslation();
  const { product } = useBranding();
  const passkey = second.passkey && knowsPasskeys();
  const [kind, setKind] = useState<FactorKind | null>(passkey ? null : 'code');
  const [done, setDone] = useState<{ codes: string[]; next: string } | null>(null);
  const next = useRef('');
  const { step } = second;
  const params = { uid };

  if (done !== null)
    return (
      <>
        <Title key="codes">{t('FACTORS.RECOVERY.TITLE')}</Title>
        <RecoveryCodes codes={done.codes} product={product} />
        <Button tone="primary" wide onClick={() => window.location.replace(done.next)}>
          {t('FACTORS.ENROL.GO_ON')}
        </Button>
      </>
    );
  return (
    <>
      <Title>{t('FACTORS.ENROL.TITLE')}</Title>
      <p className="muted prose">{t('FACTORS.ENROL.LEAD')}</p>
      {kind === null ? (
        <div className="entry-form stack gap-4">
          <Button tone="primary" icon="key" wide onClick={() => setKind('passkey')}>
            {t('FACTORS.PASSKEY.ADD')}
          </Button>
          <Button wide onClick={() => setKind('code')}>
            {t('FACTORS.CODE.ADD')}
          </Button>
        </div>
      ) : (
        <>
          <AddFactor
            key={kind}
            kind={kind}
            begin={(wanted) => api.call(beginFactorAtSignIn, { params, body: { step, kind: wanted } })}
            add={async (factor) => {
              const added = await api.call(addFactorAtSignIn, { params, body: { step, factor } });
              next.current = added.next + window.location.hash;
              return added.recoveryCodes;
            }}
            onAdded={(codes) => setDone({ codes: codes ?? [], next: next.current })}
            problem={(error) =>
              t(isProblem(error, 'LINK_INVALID') ? 'SIGN_IN.EXPIRED.TITLE' : 'DOOR.ERRORS.SERVER')
            }
          />
          {passkey ? (
            <Button tone="quiet" wide onClick={() => setKind(kind === 'code' ? 'passkey' : 'code')}>
              {t(kind === 'code' ? 'FACTORS.PASSKEY.ADD' : 'FACTORS.CODE.ADD')}
            </Button>
          ) : null}
        </>
      )}
      <LinkButton tone="quiet" wide href={startOver}>
        {t('FACTORS.PROVE.OTHER_ACCOUNT')}
      </LinkButton>
    </>
  );
}
