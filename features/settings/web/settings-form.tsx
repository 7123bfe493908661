import { type QueryKey, type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { listState } from '#web/platform/lists/list-state.ts';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { problemsOf } from '#web/platform/forms/problems-of.ts';
import { type FormOptions, useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { HistoryLink } from '#web/platform/lists/history-link.tsx';
import { ListFrame } from '#web/ui/list-frame.tsx';
import { notifyUndoable } from '#web/ui/notifications/undoable.ts';
import { SaveBar, type SharedForm, useConflict } from '#web/ui/save-bar.tsx';
import { onePress } from '#web/ui/dialog.tsx';
import '#web/ui/screen.css';

type SettingsSectionProps<Settings> = {
  /** The id of the heading, unique on its screen. */
  id: string;
  title: string;
  lead: string;
  /** Draws a line above the section. */
  divided?: boolean;
  settings: UseQueryResult<Settings>;
  /** The subject of the audit entries that the section's head links to; left out: no link. */
  history?: string;
  children: (settings: Settings) => ReactNode;
};

/** A section of a settings screen: its description, and its form once the settings are loaded. */
export function SettingsSection<Settings>(props: SettingsSectionProps<Settings>) {
  const { id, title, lead, divided = false, settings, history, children } = props;
  const { t } = useTranslation();
  return (
    <section className={divided ? 'section section-divided' : 'section'} aria-labelledby={id}>
      <div>
        <div className="row baseline gap-4">
          <h2 id={id}>{title}</h2>
          {history === undefined ? null : <HistoryLink subject={history} />}
        </div>
        <p className="muted">{lead}</p>
      </div>
      <ListFrame {...listState(t, settings)} skeletonRows={3}>
        {settings.data === undefined ? null : children(settings.data)}
      </ListFrame>
    </section>
  );
}

type SettingsOptions<Values extends object, Result> = Pick<
  FormOptions<Values, Result, void>,
  'saved' | 'save' | 'same' | 'onSaved' | 'follows'
> & {
  /** The key of the settings query, which receives the saved settings. */
  queryKey: QueryKey;
  /** Shown once they are saved. */
  notice: { key?: string; title: string };
};

/** A form of settings: it stays open after saving, and follows what others save. */
export function useSettingsForm<Values extends object, Result>(options: SettingsOptions<Values, Result>) {
  const { queryKey, notice, onSaved, ...form } = options;
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useVersionedForm<Values, Result>({
    follows: 'untyped',
    ...form,
    onSaved(saved, sent, undo) {
      queries.setQueryData(queryKey, saved);
      onSaved?.(saved, sent, undo);
      const { key = notice.title, title } = notice;
      notifyUndoable(t, {
        key,
        title,
        undo,
        problem: (error) => problemText(t, error),
      });
    },
    reload: queryKey,
  });
}

type SettingsFormProps = {
  form: SharedForm & { error: Error | null; save: () => void };
  /** The problems of the last save; left out: no field shows a problem. */
  problems?: { general?: string | undefined };
  /** Left out: saves. */
  onSubmit?: () => void;
  children: ReactNode;
};

/** Fields, and the bar that saves them. */
export function SettingsForm(props: SettingsFormProps) {
  const { t } = useTranslation();
  const { form, onSubmit = form.save, children } = props;
  const { busy, typed } = form;
  const { general } = props.problems ?? problemsOf(t, form.error, { fields: {} });
  const { why, answers } = useConflict(form, general);
  return (
    <form
      className="stack gap-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy && typed) onePress(event.currentTarget, onSubmit);
      }}
    >
      {children}
      <SaveBar
        typed={typed}
        busy={busy}
        action={t('EDITING.SAVE')}
        onDiscard={form.takeTheirs}
        above={why}
        answers={answers}
      />
    </form>
  );
}
