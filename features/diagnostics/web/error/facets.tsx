import { errorFacet, type FullError } from '#features/diagnostics/contract/diagnostics.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '#web/platform/i18n/catalogue-key.ts';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { Button } from '#web/ui/button.tsx';

type Values = FullError['facets'][keyof FullError['facets']];

/** How its events divide among releases, browsers, systems and environments. */
export function Facets({ error }: { error: FullError }) {
  const { t } = useTranslation();
  return errorFacet.options.map((facet) => {
    const values = error.facets[facet];
    if (values.length === 0) return null;
    return <Facet key={facet} title={t(`DIAGNOSTICS.FACETS.${catalogueKey(facet)}`)} values={values} />;
  });
}

const usually = 4;

function Facet({ title, values }: { title: string; values: Values }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [all, setAll] = useState(false);
  const sum = values.reduce((count, { events }) => count + events, 0);
  const share = new Intl.NumberFormat(formats.locale, { style: 'percent', maximumFractionDigits: 0 });
  return (
    <section className="facet">
      <h2>{title}</h2>
      <ul>
        {values.slice(0, all ? undefined : usually).map(({ value, events }) => (
          <li key={value} title={t('DIAGNOSTICS.EVENTS', { count: events, number: formats.number(events) })}>
            <span className="facet-value" dir="auto">
              {value}
            </span>
            <span className="facet-share">{share.format(events / sum)}</span>
            <svg className="facet-bar" width="100%" height="4" aria-hidden="true">
              <rect width="100%" height="4" rx="2" className="facet-rest" />
              <rect width={`${(events / sum) * 100}%`} height="4" rx="2" />
            </svg>
          </li>
        ))}
      </ul>
      {values.length > usually && !all ? (
        <Button small tone="quiet" onClick={() => setAll(true)}>
          {t('DIAGNOSTICS.FACETS.MORE', { count: values.length - usually })}
        </Button>
      ) : null}
    </section>
  );
}
