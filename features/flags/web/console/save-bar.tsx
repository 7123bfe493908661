import type { FlagEffect } from '#features/flags/contract/trials.ts';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { namedPerson } from '#web/platform/named-person.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Popover } from '#web/ui/popover.tsx';
import { SaveBar } from '#web/ui/save-bar.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { shortValue } from './describe-rule.ts';
import { useFormats } from '#web/platform/contexts.tsx';
import { ConfirmDialog } from '#web/ui/confirm-action.tsx';

type FlagSaveBarProps = {
  form: {
    typed: boolean;
    busy: boolean;
    gone: boolean;
    conflict: boolean;
    outdated: boolean;
    keepMine: () => void;
    takeTheirs: () => void;
  };
  problem: string | undefined;
  /** The text that says that another operator has changed it. */
  conflict: string;
  onSave: () => void;
  /** The label of the button; left out: the usual one. */
  action?: string | undefined;
  /** Why, for the history; null: no field for it is open. Left out: there is no history. */
  note?: { value: string | null; onValue: (note: string) => void };
  /** What saving does. */
  children: ReactNode;
};

/** The button that opens the field is gone with it. */
function focus(input: HTMLInputElement | null): void {
  if (input?.value === '') input.focus();
}

/** The bar that saves a flag or a segment, which another operator may have changed. Nothing where nothing is typed. */
export function FlagSaveBar(props: FlagSaveBarProps) {
  const { form, problem, conflict, onSave, action, note, children } = props;
  const { t } = useTranslation();
  const [discarding, setDiscarding] = useState(false);
  const isOutdated = form.typed && (form.outdated || form.conflict) && !form.gone;
  const fault = form.gone ? t('COMMON.GONE') : isOutdated ? conflict : problem;
  return (
    <>
      {form.typed || form.gone ? (
        <SaveBar
          typed
          busy={form.busy}
          action={action ?? t('FLAGS.SAVE')}
          refused={form.gone}
          onSave={onSave}
          onDiscard={() => setDiscarding(true)}
          above={
            <>
              {fault === undefined ? null : (
                <Notice severity={form.gone || isOutdated ? 'medium' : 'high'} role="alert">
                  {fault}
                </Notice>
              )}
              {note === undefined || note.value === null ? null : (
                <TextInput
                  ref={focus}
                  aria-label={t('FLAGS.NOTE')}
                  placeholder={t('FLAGS.NOTE')}
                  required={false}
                  autoComplete="off"
                  maxLength={500}
                  value={note.value}
                  onValue={note.onValue}
                />
              )}
            </>
          }
          more={
            note?.value === null && !isOutdated ? (
              <Button tone="quiet" onClick={() => note.onValue('')}>
                {t('FLAGS.ADD_NOTE')}
              </Button>
            ) : null
          }
          answers={
            isOutdated ? (
              <>
                <Button onClick={form.takeTheirs}>{t('EDITING.TAKE_THEIRS')}</Button>
                <Button key="keep" tone="danger-primary" onClick={form.keepMine}>
                  {t('EDITING.KEEP_MINE')}
                </Button>
              </>
            ) : undefined
          }
        >
          <b>{t('COMMON.UNSAVED')}</b> {children}
        </SaveBar>
      ) : null}
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
          <p>{t('FLAGS.DISCARD_TEXT')}</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}

type EffectProps = {
  /** What saving would do; undefined: unknown. */
  effect: FlagEffect | undefined;
  /** Clients that receive the change. */
  connected: number;
};

/** How many people get another value and which; who they are, on a press. */
export function Effect({ effect, connected }: EffectProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  if (effect === undefined) return t('FLAGS.EFFECT.CLIENTS', { count: connected });
  const { changed, evaluated, people, changes, values } = effect;
  const grown = values.filter((one) => one.people > one.before);
  const signed = new Intl.NumberFormat(formats.locale, { signDisplay: 'exceptZero' });
  return (
    <>
      {changed === 0
        ? t('FLAGS.EFFECT.NOBODY', { count: evaluated, of: formats.number(evaluated) })
        : grown.length === 0
          ? t('FLAGS.EFFECT.CHANGED', { count: changed, of: formats.number(evaluated) })
          : grown
              .slice(0, 3)
              .map(({ value, people: count, before }) =>
                t('FLAGS.EFFECT.GETS', {
                  count,
                  of: formats.number(evaluated),
                  value: shortValue(value),
                  change: signed.format(count - before),
                }),
              )
              .join(' · ')}{' '}
      {evaluated < people ? (
        <span className="muted">
          {t('FLAGS.EFFECT.PART', {
            people: formats.number(people),
            evaluated: formats.number(evaluated),
          })}{' '}
        </span>
      ) : null}
      {changed === 0 ? null : (
        <Popover
          label={t('FLAGS.EFFECT.WHO')}
          button={t('FLAGS.EFFECT.WHO')}
          buttonClassName="button button-small button-quiet"
        >
          {() => <ChangedPeople changes={changes} />}
        </Popover>
      )}
    </>
  );
}

function ChangedPeople({ changes }: Pick<FlagEffect, 'changes'>) {
  const { t } = useTranslation();
  return changes.map(({ from, to, people, who }) => (
    <section key={JSON.stringify([from, to])} className="stack gap-1">
      <h3>
        <code>{`${shortValue(from)} → ${shortValue(to)}`}</code>
      </h3>
      <ul>
        {who.map((person) => (
          <li key={person.id} data-private="">
            {namedPerson(t, person)}
          </li>
        ))}
        {people > who.length ? (
          <li className="muted">{t('FLAGS.EFFECT.MORE', { count: people - who.length })}</li>
        ) : null}
      </ul>
    </section>
  ));
}
