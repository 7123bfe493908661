import { textFor, type TextLanguage } from '#features/maintenance/contract/maintenance.ts';
import { type TextPhase, textOfPhase } from '#features/maintenance/contract/texts.ts';
import { changeWindow, type MaintenanceWindow, planWindow } from '#features/maintenance/contract/windows.ts';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi, useFormats } from '#web/platform/contexts.tsx';
import { useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import { maintenanceKey } from '../../live-status.ts';
import { ConnectedPeople } from '../presence.tsx';
import { useStayInConsole } from '../maintenance-queries.ts';
import { useServerNow } from '#web/platform/time/use-now.ts';
import { isRunning, overlaps, phaseAt } from '../windows/phase-at.ts';
import { type AtOnce, atOnce, isStricter } from './at-once.ts';
import { PlanFields } from './plan-fields.tsx';
import {
  formOf,
  newForm,
  readForm,
  readStoredForm,
  sameForm,
  spanOf,
  type WindowDraft,
  type Mistakes,
} from './plan-form.ts';
import { refusalInWords, mistakesInWords } from './plan-words.ts';
import { Preview } from './preview.tsx';
import { useOwnLanguage } from './text-fields.tsx';
import { writtenTexts } from './written-texts.ts';
import { RestoredWork } from '#web/ui/save-bar.tsx';
import { ConfirmDialog } from '#web/ui/confirm-action.tsx';
import './plan.css';

type PlanViewProps = {
  /** The window to change; null: a new one. */
  window: MaintenanceWindow | null;
  /** All windows that are not over. */
  windows: readonly MaintenanceWindow[];
  /** The window is over, or was cancelled. */
  gone: boolean;
  onClose: () => void;
};

/** The window to save, and the immediate effect of saving it; null: none. */
type Plan = { draft: WindowDraft; effect: AtOnce | null };
/** A plan that waits for its confirmation. */
type AskedPlan = Plan & { effect: AtOnce };

/** Plans or changes a window, with a preview. */
export function PlanView({ window, windows, gone, onClose }: PlanViewProps) {
  const { t } = useTranslation();
  const now = useServerNow();
  const [language, setLanguage] = useState<TextLanguage>(useOwnLanguage());
  const place = useRef<HTMLFormElement>(null);
  const focusesMistake = useRef(false);
  const [mistakes, setMistakes] = useState<Mistakes>({});
  const [leaving, setLeaving] = useState(false);
  const [asked, setAsked] = useState<AskedPlan | null>(null);
  const plan = usePlan({ window, windows, gone, onClose }, now, () => {
    setAsked(null);
    focusesMistake.current = true;
  });
  const { values: form, typed } = plan;
  useEffect(() => {
    place.current?.querySelector<HTMLElement>('[data-plan-first]')?.focus();
  }, []);

  // The focus moves as soon as the problem shows: later, it could leave a field in which the person is typing.
  useLayoutEffect(() => {
    const field = focusesMistake.current
      ? place.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
      : undefined;
    if (!field) return;
    focusesMistake.current = false;
    field.focus();
  });

  const phase = window === null ? null : phaseAt(window, now);
  const started = phase !== null && isRunning(phase);
  const { startsAt, endsAt } = spanOf(form);
  const overlapping =
    startsAt === null || endsAt === null
      ? null
      : (windows.find((other) => other.id !== window?.id && overlaps(other, { startsAt, endsAt })) ?? null);

  /** The text that readers of the chosen language get. */
  const textIn = (textPhase: TextPhase) =>
    textFor(
      textOfPhase(
        { title: form.title.trim(), text: form.text.trim(), texts: writtenTexts(form.texts) },
        textPhase,
      ),
      language,
    );

  function close(): void {
    plan.forget();
    onClose();
  }

  function submit(): void {
    const read = readForm(form, now, window);
    setMistakes('mistakes' in read ? read.mistakes : {});
    focusesMistake.current = !('draft' in read) || overlapping !== null;
    if (!('draft' in read) || overlapping !== null) return;
    const { draft } = read;
    const begins = started ? (window?.startsAt ?? null) : startsAt;
    const effect =
      begins === null || endsAt === null ? null : atOnce(window, draft, { startsAt: begins, endsAt }, now);
    if (effect === null) plan.save({ draft, effect });
    else setAsked({ draft, effect });
  }

  const problems = {
    ...(overlapping === null ? refusalInWords(t, plan.error, form) : {}),
    ...mistakesInWords(t, mistakes, form),
  };
  const action = t(window === null ? 'MAINTENANCE.CONSOLE.PLAN.ACTION' : 'MAINTENANCE.CONSOLE.PLAN.SAVE');

  return (
    <div className="plan stack">
      <form
        ref={place}
        className="section plan-form"
        noValidate
        aria-labelledby="plan-title"
        onSubmit={(event) => {
          event.preventDefault();
          if (!plan.busy && !plan.gone) submit();
        }}
      >
        <div>
          <h2 id="plan-title">
            {window === null
              ? t('MAINTENANCE.CONSOLE.PLAN.TITLE')
              : t('MAINTENANCE.CONSOLE.PLAN.CHANGE', { title: window.title })}
          </h2>
          <p className="muted">{t('MAINTENANCE.CONSOLE.PLAN.LEAD')}</p>
        </div>
        <RestoredWork onDiscard={plan.restored} />
        {phase === 'imminent' || started ? (
          <Notice severity="medium">{t('MAINTENANCE.CONSOLE.PLAN.SEEN_ALREADY')}</Notice>
        ) : null}
        <PlanFields
          form={form}
          language={language}
          onLanguage={setLanguage}
          hasOneText={window !== null && window.text !== ''}
          onForm={(next) => {
            plan.set(next);
            setMistakes({});
          }}
          problems={problems}
          overlapping={overlapping}
          now={now}
          started={started}
        />
        {plan.gone ? (
          <Notice severity="medium" role="alert">
            {t('MAINTENANCE.CONSOLE.PLAN.GONE')}
          </Notice>
        ) : problems.general === undefined ? null : (
          <Notice severity="high" role="alert">
            {problems.general}
          </Notice>
        )}
        <div className="row wrap">
          {plan.conflict && !plan.gone ? (
            <>
              <Button onClick={plan.takeTheirs}>{t('EDITING.TAKE_THEIRS')}</Button>
              <Button tone="primary" onClick={plan.keepMine}>
                {t('EDITING.KEEP_MINE')}
              </Button>
            </>
          ) : (
            // `key` makes it a new element: a reused one would receive the click on the button that it replaces.
            <Button key="save" tone="primary" type="submit" busy={plan.busy} disabled={plan.gone}>
              {action}
            </Button>
          )}
          <Button tone="quiet" onClick={() => (typed ? setLeaving(true) : close())}>
            {t('COMMON.CANCEL')}
          </Button>
        </div>
      </form>
      <Preview
        before={textIn('before')}
        during={textIn('during')}
        severity={form.severity}
        mode={form.mode}
        startsAt={startsAt}
        endsAt={endsAt}
      />
      {asked === null ? null : (
        <AtOnceDialog
          window={window}
          plan={asked}
          action={action}
          busy={plan.busy}
          onConfirm={() => plan.save(asked)}
          onCancel={() => setAsked(null)}
        />
      )}
      <ConfirmDialog
        open={leaving}
        title={t('COMMON.LOSS.TYPED.QUESTION')}
        confirmLabel={t('COMMON.LOSS.TYPED.LEAVE')}
        cancelLabel={t('COMMON.LOSS.TYPED.STAY')}
        tone="danger"
        onConfirm={close}
        onCancel={() => setLeaving(false)}
      >
        {t('COMMON.LEAVING.CONTENT')}
      </ConfirmDialog>
    </div>
  );
}

/** The form of a window, saved against the version that was opened. */
function usePlan({ window, windows, gone, onClose }: PlanViewProps, now: number, onRefused: () => void) {
  const { t } = useTranslation();
  const api = useApi();
  const staying = useStayInConsole();
  const { timeZone } = useFormats();
  const [newValues] = useState(() => newForm(now, timeZone, windows));
  return useVersionedForm({
    saved:
      window === null
        ? { values: newValues, version: 0 }
        : { values: formOf(window, timeZone), version: window.version },
    storedAs: `maintenance-window:${window?.id ?? 'new'}`,
    readStored: readStoredForm,
    same: sameForm,
    leaving: { ownEntry: true, counted: false },
    save: (_values, version, { draft, effect }: Plan, creation) =>
      staying(effect !== null && effect !== 'ends' && draft.mode === 'full', () =>
        window === null
          ? api.call(planWindow, { body: draft }, creation)
          : api.call(changeWindow, { params: { windowId: window.id }, body: { ...draft, version } }),
      ),
    lists: maintenanceKey,
    onSaved({ title }) {
      notify({
        kind: 'success',
        title: t(`MAINTENANCE.CONSOLE.PLAN.${window === null ? 'DONE' : 'CHANGED'}`, { title }),
      });
      onClose();
    },
    gone,
    onRefused,
  });
}

type AtOnceDialogProps = {
  /** The window before the change; null: a new window. */
  window: MaintenanceWindow | null;
  plan: AskedPlan;
  action: string;
  busy: boolean;
  onConfirm: () => void;
  onCancel: () => void;
};

/** Asks before a change that takes effect at once is saved, with how many people it concerns now. */
function AtOnceDialog({ window, plan: { draft, effect }, action, ...rest }: AtOnceDialogProps) {
  const { t } = useTranslation();
  const mode = catalogueKey(draft.mode);
  const stricter = isStricter(draft.mode, effect === 'mode' ? (window?.mode ?? null) : null);
  return (
    <ConfirmDialog
      open
      title={t(`MAINTENANCE.CONSOLE.AT_ONCE.${catalogueKey(effect)}`, {
        title: window?.title ?? draft.title,
        mode: t(`MAINTENANCE.CONSOLE.WINDOW_MODES.${mode}.LABEL`),
      })}
      confirmLabel={action}
      cancelLabel={t('COMMON.CANCEL')}
      tone={effect !== 'ends' && stricter ? 'danger' : 'primary'}
      {...rest}
    >
      <div className="fields">
        <ConnectedPeople />
        <p>
          {t(
            effect === 'ends'
              ? `MAINTENANCE.CONSOLE.STEPS.END.EFFECTS.${mode}`
              : `MAINTENANCE.CONSOLE.AT_ONCE.EFFECTS.${mode}`,
          )}
        </p>
      </div>
    </ConfirmDialog>
  );
}
