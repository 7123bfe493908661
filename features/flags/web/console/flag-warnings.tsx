import type { FieldProblem } from '#contract/problem.ts';
import { useTranslation } from 'react-i18next';
import { Notice } from '#web/ui/notice.tsx';

/**
 * Parts of a flag's rules that are evaluated differently from how they read, by place; nothing if there are
 * none.
 */
export function FlagWarnings({ warnings }: { warnings: readonly FieldProblem[] }) {
  const { t } = useTranslation();
  if (warnings.length === 0) return null;
  return (
    <Notice severity="medium" title={t('FLAGS.WARNINGS.TITLE')}>
      <ul className="flag-warnings">
        {warnings.map(({ pointer, code, message }) => (
          <li key={`${pointer} ${code}`}>
            {t('FLAGS.ERRORS.RULE_AT', { place: pointer.replace(/^\/rules/, ''), message })}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
