import type { AttentionItem } from '#features/overview/contract/overview.ts';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '#web/platform/i18n/catalogue-key.ts';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { lineOf } from './attention-lines.ts';

const icons = { high: 'alert', medium: 'warning', info: 'info' } as const;

/** What needs an operator, the most urgent first, each with the way there. */
export function AttentionList({ items, now }: { items: readonly AttentionItem[]; now: number }) {
  const { t } = useTranslation();
  const heading = useId();
  return (
    <section className="overview-card" aria-labelledby={heading}>
      <h2 id={heading}>{t('OVERVIEW.ATTENTION.TITLE')}</h2>
      {items.length === 0 ? (
        <p className="overview-calm">
          <Icon name="check-circle" size={18} />
          <span>
            <strong>{t('OVERVIEW.ATTENTION.NONE')}</strong>
            <span>{t('OVERVIEW.ATTENTION.NONE_TEXT')}</span>
          </span>
        </p>
      ) : (
        <ul className="overview-rows">
          {items.map((item, index) => (
            <AttentionRow key={index} item={item} now={now} />
          ))}
        </ul>
      )}
    </section>
  );
}

function AttentionRow({ item, now }: { item: AttentionItem; now: number }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { look, link, words } = lineOf(item);
  const { to, search } = link(item);
  const key = `OVERVIEW.ATTENTION.${catalogueKey(item.kind)}`;
  const { title, text } = words(item, {
    part: (name, values) => t(`${key}.${name}`, values ?? {}),
    formats,
    now,
    named(names, count) {
      const more = count - names.length;
      const rest =
        more > 0 ? [t('OVERVIEW.ATTENTION.MORE', { count: more, number: formats.number(more) })] : [];
      return formats.list([...names, ...rest]);
    },
  });
  const about = useId();
  return (
    <li className="overview-row">
      <span className={`overview-icon overview-icon-${look}`}>
        <Icon name={icons[look]} />
        <span className="visually-hidden">{t(`OVERVIEW.ATTENTION.LOOKS.${look.toUpperCase()}`)}</span>
      </span>
      <span className="overview-row-text">
        <span id={about} dir="auto">
          {t(`${key}.TITLE`, title)}
        </span>
        <span className="muted" dir="auto" data-private={item.kind === 'reports' ? true : undefined}>
          {text}
        </span>
      </span>
      <Link className="button button-small" to={to} search={search ?? {}} aria-describedby={about}>
        {t(`${key}.ACTION`)}
      </Link>
    </li>
  );
}
