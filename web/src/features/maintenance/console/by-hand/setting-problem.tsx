import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { problemsOf, type ProblemWords } from '../../../../platform/forms/problems-of.ts';
import { Notice } from '../../../../ui/notice.tsx';

const words: ProblemWords<'expectedEnd'> = {
  fields: { expectedEnd: 'MAINTENANCE.CONSOLE.MODE.END_PAST' },
};

/** Why the notice or the switch could not be saved, in words. */
export function settingProblem(t: TFunction, error: unknown): string {
  const { expectedEnd, general = '' } = problemsOf(t, error, words);
  return expectedEnd ?? general;
}

export function SettingProblem({ error }: { error: unknown }) {
  const { t } = useTranslation();
  if (error === null) return null;
  return (
    <Notice severity="high" role="alert">
      {settingProblem(t, error)}
    </Notice>
  );
}
