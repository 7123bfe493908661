import type { FieldProblem } from '@portico/contract/problem';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../../ui/notice.tsx';

/** What was accepted of a flag's rules and is evaluated other than it reads, place by place; nothing where all is plain. */
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
