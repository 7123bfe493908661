import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProblemError } from '#web/platform/calls/problem-error.ts';
import { Notice } from '#web/ui/notice.tsx';

type FormProblemProps = {
  problem: ProblemError;
  /** Explains what happened and what is safe, for problems that the form itself did not cause. */
  children?: string;
};

/** A problem that concerns no single field; announced when it appears. */
export function FormProblem({ problem, children }: FormProblemProps) {
  const { t } = useTranslation();
  if (problem.code === 'TOO_MANY_REQUESTS') return <Wait milliseconds={problem.retryAfter ?? 0} />;
  return (
    <Notice severity="high" role="alert">
      {children ?? (problem.code === 'NETWORK' ? t('DOOR.ERRORS.NETWORK') : t('DOOR.ERRORS.SERVER'))}
      {problem.requestId === undefined ? null : (
        <>
          <br />
          <small>{t('DOOR.REFERENCE', { id: problem.requestId })}</small>
        </>
      )}
    </Notice>
  );
}

/** A visible countdown; only its beginning and end are announced. */
function Wait({ milliseconds }: { milliseconds: number }) {
  const { t, i18n } = useTranslation();
  const [until] = useState(() => Date.now() + milliseconds);
  const [left, setLeft] = useState(milliseconds);

  useEffect(() => {
    if (left <= 0) return undefined;
    const timer = setTimeout(() => setLeft(until - Date.now()), left % 1000 || 1000);
    return () => clearTimeout(timer);
  }, [left, until]);

  if (left <= 0 && milliseconds > 0) {
    return (
      <Notice severity="info" role="status">
        {t('DOOR.ERRORS.WAIT_OVER')}
      </Notice>
    );
  }
  const words = (wait: number) => t('DOOR.ERRORS.WAIT', { duration: waitInWords(wait, i18n.language) });
  return (
    <>
      <Notice severity="medium">
        {t('DOOR.ERRORS.TOO_MANY')} {milliseconds > 0 ? words(left) : null}
      </Notice>
      <p role="alert" className="visually-hidden">
        {t('DOOR.ERRORS.TOO_MANY')} {milliseconds > 0 ? words(milliseconds) : null}
      </p>
    </>
  );
}

const minute = 60_000;

/**
 * A wait in words, such as `5 minutes`: seconds up to two minutes, then minutes, rounded up so that a try
 * after it succeeds.
 *
 * @param milliseconds at least one second is shown
 */
export function waitInWords(milliseconds: number, language: string): string {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  const [value, unit] = seconds < 120 ? [seconds, 'second'] : [Math.ceil(milliseconds / minute), 'minute'];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}

/** What was typed into a field of a form; files are no text. */
export function textOf(typed: FormData, name: string): string {
  const value = typed.get(name);
  return typeof value === 'string' ? value : '';
}

export function inputOf(form: HTMLFormElement | null, name: string): HTMLInputElement | null {
  return form?.querySelector<HTMLInputElement>(`input[name="${name}"]`) ?? null;
}
