import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { Formats } from '#web/platform/i18n/formats.ts';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { draftFields } from './draft.ts';
import { failureDetails, fieldTexts } from './failure-words.ts';
import type { FeedbackProblem } from './feedback-state.ts';

type ProblemBoxProps = { id: string; problem: FeedbackProblem | null };

/** The outcome of the last press, where it is not shown at a field. */
export function ProblemBox({ id, problem }: ProblemBoxProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  if (problem === null) return null;
  const { severity, text, details } = problemWords(t, formats, problem);
  if (text === '') return null;
  return (
    <div id={id} className="report-problem" tabIndex={-1}>
      <Notice severity={severity} role="alert">
        <p>{text}</p>
        {details.map((detail) => (
          <p key={detail}>{detail}</p>
        ))}
      </Notice>
    </div>
  );
}

type Words = { severity: 'high' | 'medium' | 'info'; text: string; details: readonly string[] };

/** The title and the details of a problem. */
export function problemWords(t: TFunction, formats: Formats, problem: FeedbackProblem): Words {
  switch (problem.kind) {
    case 'sent-before-edit':
      return { severity: 'info', text: t('FEEDBACK.SENT_BEFORE_EDIT'), details: [] };
    case 'mistakes': {
      const names = draftFields
        .filter((field) => problem.mistakes.missing.includes(field))
        .map((field) => t(fieldTexts[field]));
      return {
        severity: 'high',
        text: names.length === 0 ? '' : t('FEEDBACK.MISSING') + names.join(', '),
        details: [],
      };
    }
    case 'failure': {
      const { failure } = problem.error;
      return {
        severity: failure === 'undetermined' ? 'medium' : 'high',
        text: t(`FEEDBACK.FAILURES.${failure.toUpperCase()}`),
        details: failureDetails(t, formats, problem.error, problem.isDraft !== true),
      };
    }
  }
}
