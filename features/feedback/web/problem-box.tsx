import { Notice } from '#web/ui/notice.tsx';
import { draftFields } from './draft.ts';
import { failureDetails } from './failure-words.ts';
import type { FeedbackProblem } from './feedback-state.ts';
import type { FeedbackLabels } from './labels.ts';

type ProblemBoxProps = { id: string; labels: FeedbackLabels; problem: FeedbackProblem | null };

/** The outcome of the last press, where it is not shown at a field. */
export function ProblemBox({ id, labels, problem }: ProblemBoxProps) {
  if (problem === null) return null;
  const { severity, text, details } = problemWords(labels, problem);
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
export function problemWords(labels: FeedbackLabels, problem: FeedbackProblem): Words {
  switch (problem.kind) {
    case 'sent-before-edit':
      return { severity: 'info', text: labels.sentBeforeEdit, details: [] };
    case 'mistakes': {
      const names = draftFields
        .filter((field) => problem.mistakes.missing.includes(field))
        .map((field) => labels[field]);
      return {
        severity: 'high',
        text: names.length === 0 ? '' : labels.missing + names.join(', '),
        details: [],
      };
    }
    case 'failure': {
      const { failure } = problem.error;
      return {
        severity: failure === 'undetermined' ? 'medium' : 'high',
        text: labels.failures[failure],
        details: failureDetails(labels, problem.error, problem.isDraft !== true),
      };
    }
  }
}
