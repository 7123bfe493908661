import { useEffect, useRef } from 'react';
import { useStore } from '../../platform/use-store.ts';
import { dismiss, notify } from '../../ui/notifications/notifications.ts';
import { failureDetails } from './failure-words.ts';
import type { Feedback } from './feedback.ts';
import type { FeedbackLabels } from './labels.ts';

const key = 'feedback';

/** Tells of a report that could not be sent after its form was put away, and leads back to it. */
export function useNewsWhileClosed({ state, open }: Feedback, labels: FeedbackLabels): void {
  const { view, problem } = useStore(state);
  const known = useRef(problem);
  useEffect(() => {
    const isNew = problem !== known.current;
    known.current = problem;
    if (view !== 'trigger' || problem === null) dismiss(key);
    else if (isNew && problem.kind === 'failure') {
      const { failure } = problem.error;
      notify({
        key,
        kind: failure === 'undetermined' ? 'warning' : 'error',
        duration: 0,
        title: labels.failures[failure === 'empty' ? 'other' : failure],
        content: failureDetails(labels, problem.error).join('\n'),
        actions: [{ label: labels.title, act: () => void open() }],
      });
    }
  }, [view, problem, labels, open]);
}
