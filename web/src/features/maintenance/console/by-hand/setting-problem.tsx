import { useTranslation } from 'react-i18next';
import { isProblem } from '../../../../platform/problem-error.ts';
import { problemText } from '../../../../platform/problem-text.ts';
import { Notice } from '../../../../ui/notice.tsx';

/** Why the notice or the switch could not be kept. */
export function SettingProblem({ error }: { error: unknown }) {
  const { t } = useTranslation();
  if (error === null) return null;
  const past = isProblem(error, 'INVALID_BODY') && error.errors.some((one) => one.pointer === '/expectedEnd');
  return (
    <Notice severity="high" role="alert">
      {past ? t('MAINTENANCE.CONSOLE.MODE.END_PAST') : problemText(t, error)}
    </Notice>
  );
}
