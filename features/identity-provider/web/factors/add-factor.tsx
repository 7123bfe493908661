import type { BegunFactor, FactorKind, FactorToAdd } from '#features/identity-provider/contract/factors.ts';
import { browserInWords } from '#contract/rules/browser-in-words.ts';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isProblem } from '#web/platform/calls/problem-error.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Problem } from '#web/ui/notice.tsx';
import { isCeremonyError, makePasskey } from './passkey-ceremony.ts';
import './factors.css';

export type AddFactorProps = {
  kind: FactorKind;
  begin: (kind: FactorKind) => Promise<BegunFactor>;
  /** Answers recovery codes where new ones were made. */
  add: (factor: FactorToAdd) => Promise<string[] | null>;
  onAdded: (recoveryCodes: string[] | null) => void;
  /** The words for a refusal that has nothing to do with the factor. */
  problem: (error: unknown) => string;
};

/** Adds a passkey or one-time codes: at the sign-in, where the policy asks for it, or in the own security settings. */
export function AddFactor(props: AddFactorProps) {
  return props.kind === 'passkey' ? <AddPasskey {...props} /> : <AddCodes {...props} />;
}

function useAdding({ kind, onAdded, problem }: AddFactorProps) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<string | null>(null);

  async function run(work: () => Promise<string[] | null>): Promise<void> {
    setBusy(true);
    setWrong(null);
    try {
      onAdded(await work());
    } catch (error) {
      setWrong(
        isCeremonyError(error)
          ? t(
              (error as Error).name === 'InvalidStateError'
                ? 'FACTORS.PASSKEY.KNOWN'
                : 'FACTORS.PASSKEY.NONE_MADE',
            )
          : isProblem(error, 'INVALID_BODY')
            ? t(kind === 'code' ? 'FACTORS.CODE.WRONG' : 'FACTORS.PASSKEY.NONE_MADE')
            : problem(error),
      );
      setBusy(false);
    }
  }
  return { busy, wrong, run };
}

function AddPasskey(props: AddFactorProps) {
  const { t } = useTranslation();
  const { busy, wrong, run } = useAdding(props);
  const [name, setName] = useState(() => {
    const { browser, system } = browserInWords(navigator.userAgent, { version: false });
    return [browser, system].filter((word) => word !== null).join(' · ');
  });
  return (
    <FactorForm
      busy={busy}
      action={t('FACTORS.PASSKEY.MAKE')}
      onSubmit={() =>
        void run(async () => {
          const begun = await props.begin('passkey');
          const answer = await makePasskey(begun.passkey);
          const typed = name.trim() === '' ? t('FACTORS.PASSKEY.UNNAMED') : name.trim();
          return props.add({ passkey: { name: typed, answer }, code: null });
        })
      }
    >
      <p>{t('FACTORS.PASSKEY.LEAD')}</p>
      <TextField
        label={t('FACTORS.PASSKEY.NAME')}
        hint={t('FACTORS.PASSKEY.NAME_HINT')}
        maxLength={60}
        value={name}
        onValue={setName}
      />
      <Problem>{wrong}</Problem>
    </FactorForm>
  );
}

function AddCodes(props: AddFactorProps) {
  const { t } = useTranslation();
  const { begin, problem } = props;
  const { busy, wrong, run } = useAdding(props);
  const [code, setCode] = useState('');
  const [begun, setBegun] = useState<BegunFactor['code']>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const load = (): void => {
    begin('code').then(
      (made) => {
        setFailed(null);
        setBegun(made.code);
      },
      (error: unknown) => setFailed(problem(error)),
    );
  };
  const loadAtFirst = useEffectEvent(load);
  useEffect(() => loadAtFirst(), []);

  if (failed !== null)
    return (
      <div className="stack gap-4">
        <Problem>{failed}</Problem>
        <Button onClick={load}>{t('FACTORS.AGAIN')}</Button>
      </div>
    );
  if (begun === null) return <p role="status">{t('FACTORS.CODE.LOADING')}</p>;
  const { qr, secret, address } = begun;
  return (
    <FactorForm
      busy={busy}
      action={t('FACTORS.CODE.CONFIRM')}
      onSubmit={() => void run(() => props.add({ passkey: null, code }))}
    >
      <p>{t('FACTORS.CODE.LEAD')}</p>
      <div className="factor-qr row wrap gap-4">
        <svg viewBox={`0 0 ${qr.size} ${qr.size}`} role="img" aria-label={t('FACTORS.CODE.QR')}>
          <path d={qr.path} shapeRendering="crispEdges" />
        </svg>
        <div className="stack gap-2">
          <span className="muted small">{t('FACTORS.CODE.TYPE_IT')}</span>
          <code className="factor-secret breaks">{secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
          <a href={address}>{t('FACTORS.CODE.ON_THIS_DEVICE')}</a>
        </div>
      </div>
      <CodeField label={t('FACTORS.CODE.FIRST')} value={code} onValue={setCode} error={wrong} />
    </FactorForm>
  );
}

type CodeFieldProps = {
  label: string;
  hint?: string;
  value: string;
  onValue: (value: string) => void;
  error: string | null;
};

/** A one-time code, which phones and password managers fill in. */
export function CodeField(props: CodeFieldProps) {
  return (
    <TextField
      {...props}
      required
      name="code"
      autoComplete="one-time-code"
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={40}
    />
  );
}

type FactorFormProps = { busy: boolean; action: string; onSubmit: () => void; children: ReactNode };

function FactorForm({ busy, action, onSubmit, children }: FactorFormProps) {
  return (
    <form
      className="stack gap-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) onSubmit();
      }}
    >
      {children}
      <div>
        <Button tone="primary" type="submit" busy={busy}>
          {action}
        </Button>
      </div>
    </form>
  );
}

/** Recovery codes, shown this once: to copy, or as a file. */
export function RecoveryCodes({ codes, product }: { codes: readonly string[]; product: string }) {
  const { t } = useTranslation();
  const text = `${codes.join('\n')}\n`;
  return (
    <div className="stack gap-4">
      <p>{t('FACTORS.RECOVERY.LEAD')}</p>
      <ul className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div>
        <a
          className="button"
          download={`${product.toLowerCase().replaceAll(/\W+/g, '-')}-recovery-codes.txt`}
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
        >
          {t('FACTORS.RECOVERY.DOWNLOAD')}
        </a>
      </div>
    </div>
  );
}
