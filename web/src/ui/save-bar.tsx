import { useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { ConfirmDialog } from './confirm-action.tsx';
import { Notice } from './notice.tsx';
import './screen.css';

type SaveBarProps = {
  /** The accessible name of the bar; left out: the text that something is not saved. */
  label?: string;
  /** Whether something was changed: the bar then stays visible until the change is saved or discarded. */
  typed: boolean;
  busy: boolean;
  /** The label of the button that saves. */
  action: string;
  /** Whether the change can no longer be saved. */
  refused?: boolean;
  /** Called by the button that saves; left out: the button submits its form. */
  onSave?: () => void;
  onDiscard: () => void;
  /** Shown above the buttons: why the change was not saved, and fields that belong to saving. */
  above?: ReactNode;
  /** Other buttons. */
  more?: ReactNode;
  /** Buttons instead of those that discard and save, such as the answers to a conflict. */
  answers?: ReactNode;
  /** Says what is not saved and what saving does; left out: the text that something is not saved. */
  children?: ReactNode;
};

/** The bar below a form: says what is not saved yet, with the buttons that discard and save. */
export function SaveBar(props: SaveBarProps) {
  const { label, typed, busy, action, refused, onSave, onDiscard, above, more, answers, children } = props;
  const { t } = useTranslation();
  const unsaved = t('COMMON.UNSAVED');
  const save = useRef<HTMLButtonElement>(null);
  return (
    <section
      className="save-bar stack gap-2"
      aria-label={typed ? (label ?? unsaved) : undefined}
      data-unsaved={typed ? '' : undefined}
    >
      {above}
      <div className="row wrap">
        <div className="save-bar-text" role="status">
          {typed ? (children ?? unsaved) : null}
        </div>
        <div className="row wrap">
          {more}
          {answers ?? (
            <>
              {typed ? (
                <Button
                  disabled={busy}
                  onClick={() => {
                    // The focused button is removed, so the focus moves to the save button.
                    save.current?.focus();
                    onDiscard();
                  }}
                >
                  {t('COMMON.RESTORED.DISCARD')}
                </Button>
              ) : null}
              {/* Not `disabled` where nothing is typed, which would take the focus away after each save. */}
              <Button
                key="save"
                ref={save}
                tone="primary"
                type={onSave === undefined ? 'submit' : 'button'}
                busy={busy}
                disabled={refused}
                aria-disabled={!typed}
                onClick={onSave}
              >
                {action}
              </Button>
            </>
          )}
        </div>
      </div>
    </section>
  );
}

/** What a bar has to know of a form whose thing another person may change or remove. */
export type SharedForm = {
  typed: boolean;
  busy: boolean;
  gone: boolean;
  conflict: boolean;
  outdated: boolean;
  keepMine: () => void;
  takeTheirs: () => void;
};

/** Why a form was not saved, and, where another person has saved first, the buttons that ask whose version stays. */
export function useConflict(form: SharedForm, problem: string | null | undefined) {
  const { t } = useTranslation();
  const isOutdated = form.typed && (form.outdated || form.conflict) && !form.gone;
  const fault = form.gone ? t('COMMON.GONE') : isOutdated ? t('EDITING.CONFLICT') : problem;
  return {
    isOutdated,
    why:
      fault == null ? null : (
        <Notice severity={form.gone || isOutdated ? 'medium' : 'high'} role="alert">
          {fault}
        </Notice>
      ),
    answers: isOutdated ? (
      <>
        <Button onClick={form.takeTheirs}>{t('EDITING.TAKE_THEIRS')}</Button>
        <Button key="keep" tone="danger-primary" onClick={form.keepMine}>
          {t('EDITING.KEEP_MINE')}
        </Button>
      </>
    ) : undefined,
  };
}

type FormSaveBarProps = Pick<SaveBarProps, 'label' | 'onSave' | 'above' | 'more' | 'children'> & {
  form: SharedForm;
  /** The label of the button that saves; left out: the usual label. */
  action?: string | undefined;
  /** Why it was not saved. */
  problem: string | null | undefined;
};

/**
 * The bar that saves a thing on its page. Another person may change or remove the thing: the bar asks whose version
 * stays. It also asks before it discards. It is shown while something is typed, or when the thing was removed.
 */
export function FormSaveBar(props: FormSaveBarProps) {
  // An open question disappears together with the bar.
  return props.form.typed || props.form.gone ? <OpenSaveBar {...props} /> : null;
}

function OpenSaveBar(props: FormSaveBarProps) {
  const { form, problem, above, more, action, ...others } = props;
  const { t } = useTranslation();
  const [discarding, setDiscarding] = useState(false);
  const { isOutdated, why, answers } = useConflict(form, problem);
  return (
    <>
      <SaveBar
        {...others}
        typed={form.typed}
        busy={form.busy}
        action={action ?? t('EDITING.SAVE')}
        refused={form.gone}
        onDiscard={() => setDiscarding(true)}
        above={
          <>
            {why}
            {above}
          </>
        }
        more={isOutdated ? null : more}
        answers={answers}
      />
      {discarding ? (
        <ConfirmDialog
          title={t('COMMON.LOSS.TYPED.QUESTION')}
          confirmLabel={t('COMMON.LOSS.TYPED.LEAVE')}
          cancelLabel={t('COMMON.LOSS.TYPED.STAY')}
          tone="danger"
          onConfirm={() => {
            setDiscarding(false);
            form.takeTheirs();
          }}
          onCancel={() => setDiscarding(false)}
        >
          <p>{t('EDITING.DISCARDED')}</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}

/**
 * Shows in a form that its content was typed before the page was loaded and is not saved; nothing if `onDiscard` is
 * null.
 */
export function RestoredWork({ onDiscard }: { onDiscard: (() => void) | null }) {
  const { t } = useTranslation();
  if (onDiscard === null) return null;
  return (
    <Notice severity="info" role="status">
      <span className="notice-line row wrap between">
        {t('COMMON.RESTORED.TEXT')}
        <Button small tone="quiet" onClick={onDiscard}>
          {t('COMMON.RESTORED.DISCARD')}
        </Button>
      </span>
    </Notice>
  );
}
