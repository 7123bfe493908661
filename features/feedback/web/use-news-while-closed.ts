import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { useStore } from '#web/platform/state/use-store.ts';
import { dismiss, notify } from '#web/ui/notifications/notifications.ts';
import type { Feedback } from './feedback.ts';
import { problemWords } from './problem-box.tsx';

const key = 'feedback';

/** Notifies of a report that could not be sent after its form was closed, with a link back to it. */
export function useNewsWhileClosed({ state, openNews, acknowledge }: Feedback): void {
  const { t } = useTranslation();
  const formats = useFormats();
  const { view, problem, gone } = useStore(state);
  useEffect(() => {
    if (gone === 0) return;
    notify({
      key: `${key} gone`,
      kind: 'success',
      title: t('FEEDBACK.WAITING.GONE', { count: gone }),
      content: t('FEEDBACK.WAITING.GONE_CONTENT'),
    });
    acknowledge();
  }, [gone, t, acknowledge]);
  const known = useRef(problem);
  useEffect(() => {
    const isNew = problem !== known.current;
    known.current = problem;
    if (view !== 'trigger' || problem === null) dismiss(key);
    else if (isNew && problem.kind !== 'sent-before-edit') {
      const { severity, text, details } = problemWords(t, formats, problem);
      if (text === '') return;
      notify({
        key,
        kind: severity === 'medium' ? 'warning' : 'error',
        duration: 0,
        title: text,
        content: details.join('\n'),
        actions: [{ label: t('FEEDBACK.TITLE'), act: () => void openNews() }],
      });
    }
  }, [view, problem, t, formats, openNews]);
}
