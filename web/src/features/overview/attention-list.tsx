import type { AttentionItem } from '@portico/contract/overview';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../platform/i18n/formats-context.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { attentionLink } from './attention-link.ts';
import { useAttentionWords } from './attention-words.ts';

type Look = 'high' | 'medium' | 'info';

const icons: Record<Look, IconName> = { high: 'alert', medium: 'warning', info: 'info' };

const looks: Record<AttentionItem['kind'], Look> = {
  window: 'high',
  'held-open': 'medium',
  webhook: 'high',
  mail: 'high',
  refused: 'medium',
  reports: 'info',
  tokens: 'medium',
  'stale-flags': 'info',
};

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
  const { title, text, action } = useAttentionWords()(item, now, formats);
  const { to, search } = attentionLink(item);
  const look = looks[item.kind];
  const about = useId();
  return (
    <li className="overview-row">
      <span className={`overview-icon overview-icon-${look}`}>
        <Icon name={icons[look]} />
        <span className="visually-hidden">{t(`OVERVIEW.ATTENTION.LOOKS.${look.toUpperCase()}`)}</span>
      </span>
      <span className="overview-row-text">
        <span id={about} dir="auto">
          {title}
        </span>
        <span className="muted" dir="auto" data-private={item.kind === 'reports' ? true : undefined}>
          {text}
        </span>
      </span>
      <Link className="button button-small" to={to} search={search ?? {}} aria-describedby={about}>
        {action}
      </Link>
    </li>
  );
}
