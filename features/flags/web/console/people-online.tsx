import type { FlagEffect } from '#features/flags/contract/trials.ts';
import { useTranslation } from 'react-i18next';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { percent, shortValue } from './describe-rule.ts';
import { SplitBar } from './split-bar.tsx';

type PeopleOnlineProps = {
  effect: FlagEffect;
  /** It is of a definition that is not saved yet. */
  unsaved: boolean;
};

/** The values that connected people get. */
export function PeopleOnline({ effect: { evaluated, values: counted }, unsaved }: PeopleOnlineProps) {
  const { t } = useTranslation();
  const { locale, number } = useFormats();
  if (evaluated === 0) return null;
  // What is on is in the accent colour, as in the rules.
  const values = counted.toSorted((one, other) => Number(other.value === true) - Number(one.value === true));
  const said = values.map(
    ({ value, people }) => `${shortValue(value)} ${percent(people / evaluated, locale)}`,
  );
  return (
    <section className="flag-card panel stack" aria-labelledby="flag-online">
      <h2 id="flag-online">{t('FLAGS.ONLINE.TITLE')}</h2>
      <SplitBar shares={values.map(({ people }) => people / evaluated)} label={said.join(', ')} />
      <ul className="flag-clients">
        {values.map(({ value, people }, index) => (
          <li key={JSON.stringify(value)}>
            <span className="online-value">
              <i className="variation-mark" data-part={index % 6} aria-hidden="true" />
              <code>{shortValue(value)}</code>
            </span>
            <small className="muted">{`${number(people)} · ${percent(people / evaluated, locale)}`}</small>
          </li>
        ))}
      </ul>
      {unsaved ? <p className="muted">{t('FLAGS.ONLINE.UNSAVED')}</p> : null}
    </section>
  );
}
