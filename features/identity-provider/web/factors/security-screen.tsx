import {
  addFactor,
  beginFactor,
  type FactorKind,
  getOwnFactors,
  type Passkey,
  removeOneTimeCodes,
  removePasskey,
  removePassword,
  renamePasskey,
  renewRecoveryCodes,
} from '#features/identity-provider/contract/factors.ts';
import { listOwnChanges } from '#features/home/contract/home.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AnswerOf } from '#contract/route.ts';
import { OwnChanges } from '#features/home/web/own-changes.tsx';
import { routeQuery } from '#web/platform/calls/route-query.ts';
import { isProblem } from '#web/platform/calls/problem-error.ts';
import { problemText, readProblemText } from '#web/platform/calls/problem-text.ts';
import { isFirstLoad, retryProps } from '#web/platform/lists/list-state.ts';
import { useBranding } from '#web/platform/branding.ts';
import { useApi, useFormats } from '#web/platform/contexts.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';
import { Dialog, LeaveButton } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { MoreMenu } from '#web/ui/menu.tsx';
import { Notice, Problem } from '#web/ui/notice.tsx';
import { ScreenHead } from '#web/ui/screen-head.tsx';
import { ErrorState, Skeleton } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { Time } from '#web/ui/time.tsx';
import { ChangePasswordDialog } from '../own-password/change-password-dialog.tsx';
import { AddFactor, RecoveryCodes } from './add-factor.tsx';
import { forgetPasskey, knowsPasskeys } from './passkey-ceremony.ts';

type OwnFactors = AnswerOf<typeof getOwnFactors>;

const ownFactorsKey = ['own-factors'];
const ownFactorsQuery = routeQuery(ownFactorsKey, getOwnFactors, {});

/** What the person does with their factors. */
type Doing =
  | { what: 'add'; kind: FactorKind }
  | { what: 'codes'; codes: readonly string[] }
  | { what: 'rename' | 'remove'; passkey: Passkey }
  | { what: 'password' | 'remove-password' | 'remove-codes' | 'renew' };

const fewCodes = 2;

/** What the person signs in with: password, passkeys, one-time codes, recovery codes (SES-10, SES-11). */
export function SecurityScreen() {
  const { t } = useTranslation();
  const formats = useFormats();
  const known = useQuery(ownFactorsQuery);
  const [doing, setDoing] = useState<Doing | null>(null);
  const elsewhere = isProblem(known.error, 'NOT_FOUND');
  return (
    <div className="stack gap-4">
      <ScreenHead title={t('SECURITY.TITLE')} lead={t('SECURITY.LEAD')}>
        <Link className="button" to="/sessions">
          {t('SECURITY.SESSIONS')}
        </Link>
      </ScreenHead>
      {known.data !== undefined ? (
        <div className="stack gap-4">
          {known.data.dueAt === null ? null : (
            <Notice severity="medium">{t('SECURITY.DUE', { date: formats.date(known.data.dueAt) })}</Notice>
          )}
          {isProtected(known.data) ? null : <Notice severity="info">{t('SECURITY.ONLY_PASSWORD')}</Notice>}
          <Parts own={known.data} onDo={setDoing} />
          <Changes />
        </div>
      ) : isFirstLoad(known) ? (
        <Skeleton label={t('COMMON.LOADING')} kind="rows" count={4} />
      ) : elsewhere ? (
        <Notice severity="info">{t('SECURITY.ELSEWHERE')}</Notice>
      ) : (
        <ErrorState title={t('SECURITY.FAILED')} {...retryProps(t, known)}>
          {readProblemText(t, known.error)}
        </ErrorState>
      )}
      {doing === null || known.data === undefined ? null : (
        <Doings own={known.data} doing={doing} onDo={setDoing} />
      )}
    </div>
  );
}

/** Whether there is more than a password, or nothing more can be added. */
function isProtected({ policy, passkeys, codeSince, hasPassword }: OwnFactors): boolean {
  return policy === 'off' || !hasPassword || codeSince !== null || passkeys.some(({ usable }) => usable);
}

/** What happened with the account in the last 30 days (SES-14). */
function Changes() {
  const { t } = useTranslation();
  const found = useQuery(routeQuery([...ownFactorsKey, 'changes'], listOwnChanges, {}));
  return (
    <section className="stack" aria-label={t('SECURITY.CHANGES.TITLE')}>
      <h2>{t('SECURITY.CHANGES.TITLE')}</h2>
      {found.data === undefined ? (
        isFirstLoad(found) ? (
          <Skeleton label={t('COMMON.LOADING')} kind="rows" count={3} />
        ) : (
          <ErrorState title={t('SECURITY.CHANGES.FAILED')} {...retryProps(t, found)}>
            {readProblemText(t, found.error)}
          </ErrorState>
        )
      ) : found.data.length === 0 ? (
        <p className="muted">{t('SECURITY.CHANGES.EMPTY')}</p>
      ) : (
        <OwnChanges changes={found.data} />
      )}
    </section>
  );
}

function Part({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <section className="stack panel pad-4" aria-label={title}>
      <header className="row wrap between gap-3">
        <h2>{title}</h2>
        <div className="row wrap gap-2">{actions}</div>
      </header>
      {children}
    </section>
  );
}

function Parts({ own, onDo }: { own: OwnFactors; onDo: (doing: Doing) => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { passkeys, codeSince, recoveryCodesLeft: left } = own;
  const usable = passkeys.filter((one) => one.usable).length;
  const off = own.policy === 'off';
  return (
    <>
      <Part
        title={t('SECURITY.PASSWORD.TITLE')}
        actions={
          own.hasPassword ? (
            <>
              {usable >= 2 || (usable === 1 && codeSince !== null) ? (
                <Button onClick={() => onDo({ what: 'remove-password' })}>
                  {t('SECURITY.PASSWORD.REMOVE')}
                </Button>
              ) : null}
              <Button onClick={() => onDo({ what: 'password' })}>{t('SECURITY.PASSWORD.CHANGE')}</Button>
            </>
          ) : null
        }
      >
        <p className="muted">{t(own.hasPassword ? 'SECURITY.PASSWORD.SET' : 'SECURITY.PASSWORD.NONE')}</p>
      </Part>
      <Part
        title={t('SECURITY.PASSKEYS.TITLE')}
        actions={
          off || !own.passkeysWork || !knowsPasskeys() ? null : (
            <Button icon="plus" onClick={() => onDo({ what: 'add', kind: 'passkey' })}>
              {t('FACTORS.PASSKEY.ADD')}
            </Button>
          )
        }
      >
        <p className="muted">
          {t(
            own.passkeysWork
              ? knowsPasskeys()
                ? 'SECURITY.PASSKEYS.LEAD'
                : 'SECURITY.PASSKEYS.NOT_IN_BROWSER'
              : 'SECURITY.PASSKEYS.NOT_HERE',
          )}
        </p>
        {passkeys.length === 0 ? null : (
          <ul className="rows divided">
            {passkeys.map((passkey) => (
              <li key={passkey.id}>
                <div>
                  <span className="row wrap gap-2">
                    <strong className="breaks" dir="auto">
                      {passkey.name}
                    </strong>
                    {passkey.synced ? <Tag kind="plain">{t('SECURITY.PASSKEYS.SYNCED')}</Tag> : null}
                    {passkey.usable ? null : <Tag kind="medium">{t('SECURITY.PASSKEYS.SILENCED')}</Tag>}
                  </span>
                  <span className="muted small">
                    {t('SECURITY.PASSKEYS.ADDED', { date: formats.date(passkey.createdAt) })}
                    {' · '}
                    {passkey.usedAt === null ? (
                      t('SECURITY.PASSKEYS.NEVER_USED')
                    ) : (
                      <>
                        {t('SECURITY.PASSKEYS.USED')} <Time at={passkey.usedAt} formats={formats} />
                      </>
                    )}
                  </span>
                </div>
                <MoreMenu
                  label={t('SECURITY.PASSKEYS.MORE', { name: passkey.name })}
                  items={[
                    {
                      label: t('SECURITY.PASSKEYS.RENAME'),
                      icon: 'edit',
                      onSelect: () => onDo({ what: 'rename', passkey }),
                    },
                    {
                      label: t('SECURITY.PASSKEYS.REMOVE'),
                      icon: 'trash',
                      danger: true,
                      onSelect: () => onDo({ what: 'remove', passkey }),
                    },
                  ]}
                />
              </li>
            ))}
          </ul>
        )}
      </Part>
      <Part
        title={t('SECURITY.CODES.TITLE')}
        actions={
          codeSince !== null ? (
            <Button onClick={() => onDo({ what: 'remove-codes' })}>{t('SECURITY.CODES.REMOVE')}</Button>
          ) : off ? null : (
            <Button icon="plus" onClick={() => onDo({ what: 'add', kind: 'code' })}>
              {t('FACTORS.CODE.ADD')}
            </Button>
          )
        }
      >
        <p className="muted">
          {codeSince === null
            ? t('SECURITY.CODES.NONE')
            : t('SECURITY.CODES.SINCE', { date: formats.date(codeSince) })}
        </p>
      </Part>
      {usable === 0 && codeSince === null ? null : (
        <Part
          title={t('SECURITY.RECOVERY.TITLE')}
          actions={<Button onClick={() => onDo({ what: 'renew' })}>{t('SECURITY.RECOVERY.RENEW')}</Button>}
        >
          {left <= fewCodes ? (
            <Notice severity="medium">{t('SECURITY.RECOVERY.FEW', { count: left })}</Notice>
          ) : (
            <p className="muted">{t('SECURITY.RECOVERY.LEFT', { count: left })}</p>
          )}
        </Part>
      )}
    </>
  );
}

type DoingsProps = { own: OwnFactors; doing: Doing; onDo: (doing: Doing | null) => void };

function Doings({ own, doing, onDo }: DoingsProps) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const { product } = useBranding();
  const refresh = () => void queries.invalidateQueries({ queryKey: ownFactorsKey });
  const close = () => onDo(null);
  const removal = {
    tone: 'danger' as const,
    problem: (error: unknown) => problemText(t, error),
    onDone: () => {
      close();
      refresh();
    },
    onCancel: close,
  };
  switch (doing.what) {
    case 'password':
      return <ChangePasswordDialog onClose={close} />;
    case 'add':
      return (
        <Dialog
          title={t(doing.kind === 'passkey' ? 'FACTORS.PASSKEY.ADD' : 'FACTORS.CODE.ADD')}
          onClose={close}
        >
          <AddFactor
            kind={doing.kind}
            begin={(kind) => api.call(beginFactor, { body: { kind } })}
            add={async (factor) => (await api.call(addFactor, { body: factor })).recoveryCodes}
            onAdded={(codes) => {
              refresh();
              onDo(codes === null ? null : { what: 'codes', codes });
            }}
            problem={(error) => problemText(t, error)}
          />
        </Dialog>
      );
    case 'codes':
      return (
        <Dialog
          title={t('FACTORS.RECOVERY.TITLE')}
          onClose={close}
          footer={<LeaveButton tone="primary">{t('FACTORS.RECOVERY.DONE')}</LeaveButton>}
        >
          <RecoveryCodes codes={doing.codes} product={product} />
        </Dialog>
      );
    case 'rename':
      return <RenameDialog passkey={doing.passkey} onDone={removal.onDone} onClose={close} />;
    case 'remove':
      return (
        <ConfirmAction
          {...removal}
          title={t('SECURITY.PASSKEYS.REMOVE_TITLE', { name: doing.passkey.name })}
          confirmLabel={t('SECURITY.PASSKEYS.REMOVE')}
          action={async () => {
            await api.call(removePasskey, { params: { passkeyId: doing.passkey.id } });
            await forgetPasskey(own.host, doing.passkey.credentialId);
          }}
          done={t('SECURITY.PASSKEYS.REMOVED')}
        >
          <p>{t('SECURITY.PASSKEYS.REMOVE_TEXT')}</p>
        </ConfirmAction>
      );
    case 'remove-codes':
      return (
        <ConfirmAction
          {...removal}
          title={t('SECURITY.CODES.REMOVE_TITLE')}
          confirmLabel={t('SECURITY.CODES.REMOVE')}
          action={() => api.call(removeOneTimeCodes, {})}
          done={t('SECURITY.CODES.REMOVED')}
        >
          <p>{t('SECURITY.CODES.REMOVE_TEXT')}</p>
        </ConfirmAction>
      );
    case 'remove-password':
      return (
        <ConfirmAction
          {...removal}
          title={t('SECURITY.PASSWORD.REMOVE_TITLE')}
          confirmLabel={t('SECURITY.PASSWORD.REMOVE')}
          action={() => api.call(removePassword, {})}
          done={t('SECURITY.PASSWORD.REMOVED')}
        >
          <p>{t('SECURITY.PASSWORD.REMOVE_TEXT')}</p>
        </ConfirmAction>
      );
    case 'renew':
      return (
        <ConfirmAction
          {...removal}
          tone="primary"
          title={t('SECURITY.RECOVERY.RENEW_TITLE')}
          confirmLabel={t('SECURITY.RECOVERY.RENEW')}
          action={() => api.call(renewRecoveryCodes, {})}
          onDone={({ recoveryCodes }) => {
            refresh();
            onDo({ what: 'codes', codes: recoveryCodes });
          }}
        >
          <p>{t('SECURITY.RECOVERY.RENEW_TEXT')}</p>
        </ConfirmAction>
      );
    default:
      return null;
  }
}

type RenameDialogProps = { passkey: Passkey; onDone: () => void; onClose: () => void };

function RenameDialog({ passkey, onDone, onClose }: RenameDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const [name, setName] = useState(passkey.name);
  const saving = useMutation({
    mutationFn: () => api.call(renamePasskey, { params: { passkeyId: passkey.id }, body: { name } }),
    onSuccess: onDone,
  });
  return (
    <Dialog
      title={t('SECURITY.PASSKEYS.RENAME')}
      onClose={onClose}
      busy={saving.isPending}
      typed={name !== passkey.name}
      onSubmit={() => {
        if (name.trim() !== '') saving.mutate();
      }}
      footer={
        <>
          <LeaveButton tone="quiet">{t('COMMON.CANCEL')}</LeaveButton>
          <Button tone="primary" type="submit" busy={saving.isPending}>
            {t('SECURITY.PASSKEYS.SAVE')}
          </Button>
        </>
      }
    >
      <Problem>{saving.isError ? problemText(t, saving.error) : null}</Problem>
      <TextField
        label={t('FACTORS.PASSKEY.NAME')}
        required
        maxLength={60}
        value={name}
        onValue={setName}
        error={name.trim() === '' ? t('SECURITY.PASSKEYS.NAME_REQUIRED') : null}
      />
    </Dialog>
  );
}
