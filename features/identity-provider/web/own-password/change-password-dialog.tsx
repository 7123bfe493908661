import { changePassword, newPassword } from '#features/identity-provider/contract/identity-provider.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi, useFormats } from '#web/platform/contexts.tsx';
import { waitIn } from '#web/platform/i18n/formats.ts';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, LeaveButton } from '#web/ui/dialog.tsx';
import { PasswordField } from '#web/ui/field.tsx';
import { Notice, Problem } from '#web/ui/notice.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import { ProblemError } from '#web/platform/calls/problem-error.ts';

/** The own password, for those who sign in at the embedded provider (SES-3). */
export function ChangePasswordDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const api = useApi();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [busy, setBusy] = useState(false);
  const [problems, setProblems] = useState<PasswordProblems>({});
  const words = { showLabel: t('PASSWORD.SHOW'), hideLabel: t('PASSWORD.HIDE') };

  async function change(): Promise<void> {
    if (current === '') return setProblems({ current: 'PASSWORD.ERRORS.CURRENT_REQUIRED' });
    if (!newPassword.safeParse(next).success) return setProblems({ next: 'PASSWORD.ERRORS.LENGTH' });
    setBusy(true);
    try {
      await api.call(changePassword, { body: { currentPassword: current, newPassword: next } });
      notify({ kind: 'success', title: t('PASSWORD.CHANGED'), content: t('PASSWORD.CHANGED_TEXT') });
      onClose();
    } catch (error) {
      setProblems(passwordProblems(error));
      setBusy(false);
    }
  }

  return (
    <Dialog
      title={t('PASSWORD.TITLE')}
      onClose={onClose}
      busy={busy}
      typed={current !== '' || next !== ''}
      onSubmit={() => void change()}
      footer={
        <>
          <LeaveButton tone="quiet">{t('COMMON.CANCEL')}</LeaveButton>
          <Button tone="primary" type="submit" busy={busy}>
            {t('PASSWORD.ACTION')}
          </Button>
        </>
      }
    >
      <p>{t('PASSWORD.LEAD')}</p>
      {problems.waitMs === undefined ? null : (
        <Notice severity="medium" role="alert">
          {t('PASSWORD.ERRORS.WAIT', { duration: waitIn(formats, problems.waitMs) })}
        </Notice>
      )}
      <Problem>{problems.other === undefined ? null : problemText(t, problems.other)}</Problem>
      <PasswordField
        label={t('PASSWORD.CURRENT')}
        required
        error={problems.current === undefined ? null : t(problems.current)}
        {...words}
        autoComplete="current-password"
        maxLength={256}
        value={current}
        onValue={setCurrent}
      />
      <PasswordField
        label={t('PASSWORD.NEXT')}
        hint={t('PASSWORD.NEXT_HINT')}
        required
        error={problems.next === undefined ? null : t(problems.next)}
        {...words}
        autoComplete="new-password"
        maxLength={256}
        value={next}
        onValue={setNext}
      />
    </Dialog>
  );
}

/** Problems: text keys by field, a wait, or another text key. */
type PasswordProblems = { current?: string; next?: string; waitMs?: number; other?: unknown };

/** Sorts the server's answer by field; guesses at the current password are slowed down as at the sign-in. */
export function passwordProblems(error: unknown): PasswordProblems {
  if (!(error instanceof ProblemError)) return { other: error };
  if (error.code === 'TOO_MANY_REQUESTS') return { waitMs: error.retryAfter ?? 60_000 };
  if (error.code === 'NOT_FOUND') return { current: 'PASSWORD.ERRORS.ELSEWHERE' };
  const [first] = error.errors;
  if (first?.pointer === '/currentPassword') return { current: 'PASSWORD.ERRORS.CURRENT_WRONG' };
  if (first?.pointer === '/newPassword') {
    return { next: first.code === 'common' ? 'PASSWORD.ERRORS.COMMON' : 'PASSWORD.ERRORS.LENGTH' };
  }
  return { other: error };
}
