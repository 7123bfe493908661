import type { Breadcrumb } from '#features/diagnostics/contract/diagnostics.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { Button } from '#web/ui/button.tsx';
import { Icon, type IconName } from '#web/ui/icon.tsx';

const usually = 12;

type BreadcrumbTrailProps = { breadcrumbs: readonly Breadcrumb[]; happenedAt: number };

/** What happened before, the newest last; how long before the error stands beside each step. */
export function BreadcrumbTrail({ breadcrumbs, happenedAt }: BreadcrumbTrailProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [all, setAll] = useState(false);
  if (breadcrumbs.length === 0) return null;
  const seconds = new Intl.NumberFormat(formats.locale, {
    style: 'unit',
    unit: 'second',
    unitDisplay: 'narrow',
    maximumFractionDigits: 1,
    signDisplay: 'negative',
  });
  const hidden = all ? 0 : Math.max(0, breadcrumbs.length - usually);
  return (
    <section className="section" aria-labelledby="error-breadcrumbs">
      <h3 id="error-breadcrumbs">{t('DIAGNOSTICS.BREADCRUMBS.TITLE')}</h3>
      {hidden === 0 ? null : (
        <div>
          <Button small onClick={() => setAll(true)}>
            {t('DIAGNOSTICS.BREADCRUMBS.EARLIER', { count: hidden })}
          </Button>
        </div>
      )}
      <ol className="trail">
        {breadcrumbs.slice(hidden).map((step, index) => (
          <li key={index} data-level={step.level}>
            <span className="trail-icon">
              <Icon name={iconOf(step)} size={14} />
            </span>
            <span className="trail-what">
              <span className="trail-category">{step.category || step.type}</span>{' '}
              <span dir="auto">{step.message}</span>
              {step.data.length === 0 ? null : (
                <span className="trail-data">
                  {step.data.map(({ name, value }) => (
                    <code key={name}>{`${name}=${value}`}</code>
                  ))}
                </span>
              )}
            </span>
            {step.at === null ? null : (
              <time dateTime={new Date(step.at).toISOString()} title={formats.exact(step.at)}>
                {seconds.format((step.at - happenedAt) / 1000)}
              </time>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function iconOf({ type, category, level }: Breadcrumb): IconName {
  if (level === 'error' || level === 'fatal') return 'alert';
  if (level === 'warning') return 'warning';
  if (/navigation/.test(type + category)) return 'chevron-right';
  if (/http|xhr|fetch/.test(type + category)) return 'external';
  return category.startsWith('ui') || type === 'user' ? 'person' : 'info';
}
