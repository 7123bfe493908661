import { useEffect, useRef } from 'react';
import { useStore } from '#web/platform/state/use-store.ts';
import { dismiss, notify } from '#web/ui/notifications/notifications.ts';
import type { Feedback } from './feedback.ts';
import type { FeedbackLabels } from './labels.ts';
import { problemWords } from './problem-box.tsx';

const key = 'feedback';

/** Notifies of a report that could not be sent after its form was closed, with a link back to it. */
export function useNewsWhileClosed({ state, openNews, acknowledge }: Feedback, labels: FeedbackLabels): void {
  const { view, problem, gone } = useStore(state);
  useEffect(() => {
    if (gone === 0) return;
    notify({
      key: `${key} gone`,
      kind: 'success',
      title: labels.waiting.gone(gone),
      content: labels.waiting.goneContent,
    });
    acknowledge();
  }, [gone, labels, acknowledge]);
  const known = useRef(problem);
  useEffect(() => {
    const isNew = problem !== known.current;
    known.current = problem;
    if (view !== 'trigger' || problem === null) dismiss(key);
    else if (isNew && problem.kind !== 'sent-before-edit') {
      const { severity, text, details } = problemWords(labels, problem);
      if (text === '') return;
      notify({
        key,
        kind: severity === 'medium' ? 'warning' : 'error',
        duration: 0,
        title: text,
        content: details.join('\n'),
        actions: [{ label: labels.title, act: () => void openNews() }],
      });
    }
  }, [view, problem, labels, openNews]);
}
