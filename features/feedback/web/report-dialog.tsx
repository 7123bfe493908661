import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Formats } from '#web/platform/i18n/formats.ts';
import { useStore } from '#web/platform/state/use-store.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field, TextAreaField, TextField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { dismiss, notify } from '#web/ui/notifications/notifications.ts';
import { TextInput } from '#web/ui/text-input.tsx';
import { type DraftField, mistakesIn } from './draft.ts';
import { fieldTexts, problemWords, wrongWords } from './failure-words.ts';
import type { FeedbackProblem } from './feedback-state.ts';
import type { Feedback } from './feedback.ts';
import type { ScreenshotHandle } from './picture.ts';
import { ScreenshotField } from './screenshot-field.tsx';
import { SentAlongDetails } from './sent-along-details.tsx';
import { WaitingReports } from './waiting-reports.tsx';
import { useFormats } from '#web/platform/contexts.tsx';
import './report-dialog.css';

type ReportDialogProps = { feedback: Feedback };

/**
 * The form of a bug report while it is open (BUG-1); while it is closed it reports the outcome of a report.
 */
export function ReportDialog({ feedback }: ReportDialogProps) {
  const { view } = useStore(feedback.state);
  useNewsWhileClosed(feedback);
  return view === 'form' ? <OpenDialog feedback={feedback} /> : null;
}

function OpenDialog({ feedback }: ReportDialogProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { draft, problem, sending } = useStore(feedback.state);
  const rules = useStore(feedback.rules);
  const dialog = useRef<HTMLDialogElement>(null);
  const screenshot = useRef<ScreenshotHandle>(null);
  const [away, setAway] = useState(false);
  const [preparing, setPreparing] = useState(false);
  const [pictureBusy, setPictureBusy] = useState(false);
  const awaited = sending?.awaited === true;
  const locked = awaited || preparing;
  const problemId = useId();
  const reported = problem?.kind === 'mistakes' ? problem.mistakes : null;
  const remaining = reported === null ? null : mistakesIn(draft, rules);
  const first = firstToFill(feedback);
  useKeyboardInset(dialog);
  useFocusOnProblem(dialog, problem);

  async function send(): Promise<void> {
    if (locked) return;
    setPreparing(true);
    try {
      const picture = await screenshot.current?.settle();
      if (picture !== undefined) feedback.edit({ picture });
      feedback.submit();
    } catch {
      // The screenshot part shows that the picture could not be drawn.
    } finally {
      setPreparing(false);
    }
  }

  /** Hides the dialog but leaves it open, so that its scroll position and focus are not lost. */
  function hide(): () => void {
    const element = dialog.current;
    const focused = focusedIn(element);
    element?.toggleAttribute('data-away', true);
    setAway(true);
    return () => {
      element?.toggleAttribute('data-away', false);
      setAway(false);
      focused?.focus({ preventScroll: true });
    };
  }

  const isMissing = (name: DraftField) =>
    reported?.missing.includes(name) === true && remaining?.missing.includes(name) === true;
  const input = (name: DraftField) => ({
    ...(isMissing(name) ? { 'aria-invalid': true as const, 'aria-describedby': problemId } : {}),
    'data-autofocus': first === name ? '' : undefined,
    readOnly: locked,
    name,
    value: draft[name],
    onValue: (value: string) => feedback.edit({ [name]: value }),
  });
  const field = (name: DraftField) => {
    const wrong = reported?.wrong[name];
    return {
      label: t(fieldTexts[name]),
      required: rules[name],
      requiredMark: t('COMMON.REQUIRED'),
      error: wrong === undefined || remaining?.wrong[name] !== wrong ? null : wrongWords(t, formats, wrong),
    };
  };

  return (
    <Dialog
      title={t('FEEDBACK.TITLE')}
      closeLabel={t('COMMON.CLOSE')}
      className="report-dialog"
      element={dialog}
      busy={away}
      onClose={feedback.close}
      // Closing keeps the draft (BUG-1).
      typed={false}
      onSubmit={() => void send()}
      footer={
        <>
          {sending?.progress == null ? null : (
            <div className="dialog-foot-start report-progress gap-3">
              <progress aria-label={t('FEEDBACK.PROGRESS')} value={sending.progress} max={1} />
              <span>{percentOf(formats, sending.progress)}</span>
            </div>
          )}
          <Button tone="quiet" onClick={feedback.cancel}>
            {t('COMMON.CANCEL')}
          </Button>
          <Button tone="primary" type="submit" busy={locked || pictureBusy}>
            {t('FEEDBACK.SEND')}
          </Button>
        </>
      }
    >
      <WaitingReports feedback={feedback} locked={locked || pictureBusy} />
      <ProblemBox id={problemId} problem={problem} />
      <TextField {...field('email')} {...input('email')} type="email" autoComplete="email" />
      <Field {...field('name')}>
        {(control) => <TextInput {...control} {...input('name')} autoComplete="name" />}
      </Field>
      <TextAreaField {...field('message')} {...input('message')} rows={5} />
      <ScreenshotField
        locked={locked}
        part={{
          picture: draft.picture,
          onPicture: (picture) => feedback.edit({ picture }),
          address: () => feedback.surroundings().address,
          hideDialog: hide,
          onBusy: setPictureBusy,
          handle: screenshot,
        }}
      />
      <SentAlongDetails draft={draft} live={feedback.surroundings} locked={locked} onEdit={feedback.edit} />
    </Dialog>
  );
}

/** The outcome of the last press, where it is not shown at a field. */
function ProblemBox({ id, problem }: { id: string; problem: FeedbackProblem | null }) {
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

function percentOf({ locale }: Formats, share: number): string {
  return new Intl.NumberFormat(locale, { style: 'percent' }).format(share);
}

/** The first empty field, else the description. */
function firstToFill({ state }: Feedback): DraftField {
  const { draft } = state.get();
  return (['email', 'name'] as const).find((field) => draft[field].trim() === '') ?? 'message';
}

function focusedIn(element: HTMLElement | null): HTMLElement | null {
  const around = element?.getRootNode();
  const focused = around instanceof Document || around instanceof ShadowRoot ? around.activeElement : null;
  return focused instanceof HTMLElement ? focused : null;
}

/**
 * After each press whose outcome is a problem, moves the focus to what the person has to read or correct. A late
 * outcome is announced, and does not move the focus.
 */
function useFocusOnProblem(
  dialog: RefObject<HTMLDialogElement | null>,
  problem: FeedbackProblem | null,
): void {
  const seen = useRef(problem);
  useEffect(() => {
    if (problem === seen.current) return;
    seen.current = problem;
    if (problem === null || problem.kind === 'sent-before-edit' || problem.late) return;
    const place =
      dialog.current?.querySelector<HTMLElement>('.report-problem') ??
      dialog.current?.querySelector<HTMLElement>('[aria-invalid=true]');
    place?.focus();
  }, [dialog, problem]);
}

/** Notifies of a report that could not be sent after its form was closed, with a link back to it. */
function useNewsWhileClosed({ state, openNews, acknowledge }: Feedback): void {
  const { t } = useTranslation();
  const formats = useFormats();
  const { view, problem, delivered } = useStore(state);
  useEffect(() => {
    if (delivered === 0) return;
    notify({
      key: 'feedback gone',
      kind: 'success',
      title: t('FEEDBACK.WAITING.GONE', { count: delivered }),
      content: t('FEEDBACK.WAITING.GONE_CONTENT'),
    });
    acknowledge();
  }, [delivered, t, acknowledge]);
  const known = useRef(problem);
  useEffect(() => {
    const isNew = problem !== known.current;
    known.current = problem;
    if (view !== 'trigger' || problem === null) dismiss('feedback');
    else if (isNew && problem.kind !== 'sent-before-edit') {
      const { severity, text, details } = problemWords(t, formats, problem);
      if (text === '') return;
      notify({
        key: 'feedback',
        kind: severity === 'medium' ? 'warning' : 'error',
        duration: 0,
        title: text,
        content: details.join('\n'),
        actions: [{ label: t('FEEDBACK.TITLE'), act: () => void openNews() }],
      });
    }
  }, [view, problem, t, formats, openNews]);
}

/** Below this height the buttons scroll with the rest: fixed buttons would leave too little space. */
const lowHeight = 400;

/**
 * Keeps the dialog out from under the keyboard of a phone, which covers the page without making it smaller.
 * Sets `--covered`, and `data-low` where little is left.
 */
function useKeyboardInset(dialog: RefObject<HTMLDialogElement | null>): void {
  useEffect(() => {
    const element = dialog.current;
    const seen = window.visualViewport;
    if (element === null || seen === null) return undefined;
    const fit = () => {
      // Zooming in also makes less of the page visible, but must not move the dialog.
      const covered = seen.scale > 1.01 ? 0 : Math.max(0, window.innerHeight - seen.height - seen.offsetTop);
      element.style.setProperty('--covered', `${Math.round(covered)}px`);
      element.toggleAttribute('data-low', window.innerHeight - covered < lowHeight);
    };
    fit();
    seen.addEventListener('resize', fit);
    seen.addEventListener('scroll', fit);
    return () => {
      seen.removeEventListener('resize', fit);
      seen.removeEventListener('scroll', fit);
    };
  }, [dialog]);
}
