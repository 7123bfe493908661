import { howToProve, prove } from '#features/identity-provider/contract/factors.ts';
import { beginProof } from '#features/session/contract/session.ts';
import type { BodyOf } from '#contract/route.ts';
import type { ProofOutcome } from '#contract/pages.ts';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isProblem } from '#web/platform/calls/problem-error.ts';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { useApi, useSignInPlace } from '#web/platform/contexts.tsx';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { Dialog, LeaveButton } from '#web/ui/dialog.tsx';
import { PasswordField } from '#web/ui/field.tsx';
import { Problem } from '#web/ui/notice.tsx';
import { RetryNotice, Skeleton } from '#web/ui/states.tsx';
import { base } from '#web/platform/base.ts';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { CodeField } from './add-factor.tsx';
import { isCeremonyError, knowsPasskeys, askPasskey } from './passkey-ceremony.ts';
import { openProofEnds } from './proof-ended.tsx';

type Ways = { passkey: unknown; code: boolean; password: boolean };

type ProveDialogProps = { asked: boolean; onSettled: (proved: boolean) => void };

/** Asks for a proof that it is still the same person; the call then goes on, and nothing typed is lost (SES-13). */
export function ProveDialog({ asked, onSettled }: ProveDialogProps) {
  const { outsideProvider } = useSignInPlace();
  if (!asked) return null;
  return outsideProvider === null ? (
    <AskedProof onSettled={onSettled} />
  ) : (
    <OutsideProof provider={outsideProvider} onSettled={onSettled} />
  );
}

function AskedProof({ onSettled }: Omit<ProveDialogProps, 'asked'>) {
  const { t } = useTranslation();
  const api = useApi();
  const [ways, setWays] = useState<Ways | null>(null);
  const [failed, setFailed] = useState<unknown>(null);
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const load = (): void => {
    api.call(howToProve, {}).then((known) => {
      setFailed(null);
      setWays(known);
    }, setFailed);
  };
  const loadAtFirst = useEffectEvent(load);
  useEffect(() => loadAtFirst(), []);

  async function send(proof: () => BodyOf<typeof prove> | Promise<BodyOf<typeof prove>>): Promise<void> {
    setBusy(true);
    setProblem(null);
    try {
      await api.call(prove, { body: await proof() });
      onSettled(true);
    } catch (error) {
      setBusy(false);
      setProblem(
        isCeremonyError(error)
          ? t('FACTORS.PASSKEY.NONE_USED')
          : isProblem(error, 'UNAUTHENTICATED')
            ? t(ways?.password === true ? 'FACTORS.CONFIRM.WRONG_PASSWORD' : 'FACTORS.PROVE.WRONG')
            : problemText(t, error),
      );
      // A challenge serves once.
      if (ways?.passkey != null) load();
    }
  }

  const options = knowsPasskeys() ? (ways?.passkey ?? null) : null;
  const types = ways?.code === true || ways?.password === true;
  return (
    <Dialog
      title={t('FACTORS.CONFIRM.TITLE')}
      onClose={() => onSettled(false)}
      busy={busy}
      {...(types
        ? {
            typed: false,
            onSubmit: () =>
              void send(() =>
                ways.password ? { by: 'password', password: typed } : { by: 'code', code: typed },
              ),
          }
        : {})}
      footer={
        <>
          <LeaveButton tone="quiet">{t('COMMON.CANCEL')}</LeaveButton>
          {options === null ? null : (
            <Button
              tone={types ? 'plain' : 'primary'}
              icon="key"
              busy={busy}
              onClick={() => void send(async () => ({ by: 'passkey', answer: await askPasskey(options) }))}
            >
              {t('FACTORS.PASSKEY.USE')}
            </Button>
          )}
          {types ? (
            <Button tone="primary" type="submit" busy={busy}>
              {t('FACTORS.CONFIRM.ACTION')}
            </Button>
          ) : null}
        </>
      }
    >
      <p>{t('FACTORS.CONFIRM.LEAD')}</p>
      <Problem>{problem}</Problem>
      {failed !== null ? (
        <RetryNotice
          retry={{
            label: t('COMMON.RETRY'),
            onRetry: load,
            busy: false,
          }}
        >
          {problemText(t, failed)}
        </RetryNotice>
      ) : ways === null ? (
        <Skeleton label={t('COMMON.LOADING')} kind="text" count={1} />
      ) : ways.password ? (
        <PasswordField
          label={t('FACTORS.CONFIRM.PASSWORD')}
          showLabel={t('FACTORS.CONFIRM.SHOW_PASSWORD')}
          hideLabel={t('FACTORS.CONFIRM.HIDE_PASSWORD')}
          required
          autoComplete="current-password"
          maxLength={256}
          value={typed}
          onValue={setTyped}
        />
      ) : ways.code ? (
        <CodeField
          label={t('FACTORS.PROVE.CODE')}
          hint={t('FACTORS.PROVE.CODE_HINT')}
          value={typed}
          onValue={setTyped}
          error={null}
        />
      ) : options === null ? (
        <p>{t('FACTORS.CONFIRM.NO_WAY')}</p>
      ) : null}
    </Dialog>
  );
}

type OutsideProofProps = {
  /** The provider's name. */
  provider: string;
  onSettled: (proved: boolean) => void;
};

/** Has a person sign in again at the company's provider, in another window, and waits for how that ends (SES-13). */
function OutsideProof({ provider, onSettled }: OutsideProofProps) {
  const { t } = useTranslation();
  const [waiting, setWaiting] = useState(false);
  const [outcome, setOutcome] = useState<ProofOutcome | null>(null);
  const receive = useEffectEvent((ended: ProofOutcome) => {
    if (ended === 'proved') onSettled(true);
    setWaiting(false);
    setOutcome(ended);
  });
  useEffect(() => {
    const ends = openProofEnds();
    ends.subscribe((message) => receive(message.outcome));
    return ends.close;
  }, []);

  return (
    <Dialog
      title={t('FACTORS.CONFIRM.TITLE')}
      onClose={() => onSettled(false)}
      footer={
        <>
          <LeaveButton tone="quiet">{t('COMMON.CANCEL')}</LeaveButton>
          {/* A link, since browsers block windows that scripts open. */}
          <LinkButton
            tone="primary"
            icon="external"
            href={`${base}${beginProof.path}`}
            target="_blank"
            rel="noopener"
            data-autofocus
            onClick={() => {
              setWaiting(true);
              setOutcome(null);
            }}
          >
            {t(waiting || outcome !== null ? 'FACTORS.OUTSIDE.AGAIN' : 'FACTORS.OUTSIDE.OPEN', { provider })}
          </LinkButton>
        </>
      }
    >
      <p>{t('FACTORS.OUTSIDE.LEAD', { provider })}</p>
      <Problem>
        {outcome === null ? null : t(`FACTORS.OUTSIDE.${catalogueKey(outcome)}`, { provider })}
      </Problem>
      <p role="status" className="muted">
        {waiting ? t('FACTORS.OUTSIDE.WAITING', { provider }) : null}
      </p>
    </Dialog>
  );
}
