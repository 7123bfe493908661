import type { FlagEffect } from '#features/flags/contract/trials.ts';
import { useTranslation } from 'react-i18next';
import { percent, shortValue } from './describe-rule.ts';
import { useFormats } from '#web/platform/contexts.tsx';

type WhoGetsWhatProps = {
  effect: FlagEffect;
  /** True: the effect is of a definition that is not saved yet. */
  unsaved: boolean;
};

/** The values that people get, with how many get each. */
export function WhoGetsWhat({ effect: { evaluated, values: counted }, unsaved }: WhoGetsWhatProps) {
  const { t } = useTranslation();
  const { locale, number } = useFormats();
  // The value true comes first, so it gets the accent colour, as in the rules.
  const values = counted
    .filter(({ people }) => people > 0)
    .toSorted((one, other) => Number(other.value === true) - Number(one.value === true));
  if (values.length === 0) return null;
  return (
    <section className="stack panel pad-4" aria-labelledby="flag-values">
      <h2 id="flag-values">{t('FLAGS.EVERYONE.TITLE')}</h2>
      <SplitBar parts={values.map(({ value, people }) => ({ value, share: rounded(people / evaluated) }))} />
      <ul className="flag-clients rows">
        {values.map(({ value, people }, index) => (
          <li key={JSON.stringify(value)}>
            <span className="row">
              <i className="variation-mark round rigid" data-part={index % 6} aria-hidden="true" />
              <code>{shortValue(value)}</code>
            </span>
            <small className="muted">
              {t('FLAGS.EVERYONE.PEOPLE', {
                count: people,
                shown: number(people),
                share: percent(rounded(people / evaluated), locale),
              })}
            </small>
          </li>
        ))}
      </ul>
      {unsaved ? <p className="muted">{t('FLAGS.EVERYONE.UNSAVED')}</p> : null}
    </section>
  );
}

/** Rounds to two figures, since shares are counted in a sample. */
const rounded = (share: number) => Number(share.toPrecision(2));

/** Shows the distribution of people as a bar: shares of everyone, 0 to 1; the rest up to 1 stays empty. */
export function SplitBar({ parts }: { parts: readonly { value: unknown; share: number }[] }) {
  const { t } = useTranslation();
  const { locale } = useFormats();
  const said = parts.map(({ value, share }) =>
    t('FLAGS.SERVES.SHARE', { share: percent(share, locale), value: shortValue(value) }),
  );
  return (
    <div className="split-bar flex" role="img" aria-label={said.join(', ')}>
      {parts.map(({ share }, index) => (
        <i key={index} data-part={index % 6} style={{ width: `${share * 100}%` }} />
      ))}
    </div>
  );
}
