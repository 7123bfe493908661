import type { FlagEffect } from '#features/flags/contract/trials.ts';
import { useTranslation } from 'react-i18next';
import { namedPerson } from '#web/platform/named-person.ts';
import { Popover } from '#web/ui/popover.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { shortValue } from './describe-rule.ts';
import { useFormats } from '#web/platform/contexts.tsx';

/** Focuses the empty field, since opening it removes the button that had the focus. */
function focus(input: HTMLInputElement | null): void {
  if (input?.value === '') input.focus();
}

/** The field for the reason of a change, for the flag's history. */
export function NoteField(props: { value: string; onValue: (note: string) => void }) {
  const { t } = useTranslation();
  return (
    <TextInput
      ref={focus}
      aria-label={t('FLAGS.NOTE')}
      placeholder={t('FLAGS.NOTE')}
      required={false}
      autoComplete="off"
      maxLength={500}
      {...props}
    />
  );
}

type EffectProps = {
  /** The effect of saving; undefined: unknown. */
  effect: FlagEffect | undefined;
  /** The number of clients that receive the change. */
  connected: number;
};

/** How many people get another value, and which value; a press shows who they are. */
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
