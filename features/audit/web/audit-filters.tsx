import { auditThrough, type AuditEntry } from '#features/audit/contract/audit.ts';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '#web/platform/i18n/catalogue-key.ts';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { Button } from '#web/ui/button.tsx';
import { DateInput } from '#web/ui/date-input/date-input.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { FilterBar } from '#web/ui/list-frame.tsx';
import { SearchInput, Select } from '#web/ui/text-input.tsx';
import { ActorPicker } from './actor-picker.tsx';
import { areas } from './area-icon.ts';
import { type AuditFilter, periods } from './audit-queries.ts';
import { useEntryWords } from './entry-words.ts';

type AuditFiltersProps = {
  /** The text of the search field, which the filter follows after a pause. */
  typed: string;
  onType: (text: string) => void;
  filter: AuditFilter;
  /** The listed entries, for the names of filtered people and things. */
  entries: readonly AuditEntry[];
  onFilter: (change: Partial<AuditFilter>) => void;
};

export function AuditFilters({ typed, onType, filter, entries, onFilter }: AuditFiltersProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const words = useEntryWords();
  const byName = (one: string, other: string) => one.localeCompare(other);
  const areaOptions = areas
    .map((value) => ({ value, label: t(`AUDIT.AREAS.${catalogueKey(value)}`) }))
    .toSorted((one, other) => byName(one.label, other.label));
  const about = entries.find((entry) => entry.subject.id === filter.subject);
  const by = entries.find(({ actor }) => actor.id === filter.actor || actor.name === filter.actor);
  return (
    <>
      <FilterBar className="audit-filters">
        <SearchInput label={t('AUDIT.SEARCH')} value={typed} maxLength={200} onValue={onType} />
        <Select
          aria-label={t('AUDIT.FILTERS.AREA')}
          value={areas.includes(filter.area) ? filter.area : ''}
          onValue={(area) => onFilter({ area })}
          options={[{ value: '', label: t('AUDIT.FILTERS.ANY_AREA') }, ...areaOptions]}
        />
        <Select
          aria-label={t('AUDIT.FILTERS.THROUGH')}
          value={auditThrough.safeParse(filter.through).data ?? ''}
          onValue={(through) => onFilter({ through })}
          options={[
            { value: '', label: t('AUDIT.FILTERS.ANY_WAY') },
            ...auditThrough.options.map((value) => ({
              value,
              label: t(`AUDIT.WAYS.${catalogueKey(value)}`),
            })),
          ]}
        />
        <ActorPicker
          actor={filter.actor}
          name={by === undefined ? null : words.actor(by)}
          entries={entries}
          onActor={(actor) => onFilter({ actor })}
        />
        <div className="audit-periods" role="group" aria-label={t('AUDIT.FILTERS.PERIOD')}>
          {periods.map(({ period, unit, count }) => (
            <Button
              key={period}
              aria-pressed={filter.last === period}
              onClick={() => onFilter({ last: filter.last === period ? '' : period, from: '', until: '' })}
            >
              {t(`AUDIT.FILTERS.${unit}`, { count })}
            </Button>
          ))}
        </div>
        <div className="audit-range">
          <div className="audit-day">
            <label htmlFor="audit-from">{t('AUDIT.FILTERS.FROM')}</label>
            <DateInput
              id="audit-from"
              label={t('AUDIT.FILTERS.FROM')}
              to="day"
              formats={formats}
              value={filter.from}
              max={filter.until}
              onValue={(from) => onFilter({ from, last: '' })}
            />
          </div>
          <div className="audit-day">
            <label htmlFor="audit-until">{t('AUDIT.FILTERS.UNTIL')}</label>
            <DateInput
              id="audit-until"
              label={t('AUDIT.FILTERS.UNTIL')}
              to="day"
              formats={formats}
              value={filter.until}
              min={filter.from}
              onValue={(until) => onFilter({ until, last: '' })}
            />
          </div>
        </div>
      </FilterBar>
      {filter.subject === '' && filter.action === '' ? null : (
        <ul className="audit-chips">
          {filter.subject === '' ? null : (
            <Chip onRemove={() => onFilter({ subject: '' })}>
              {t('AUDIT.FILTERS.SUBJECT', {
                name: about === undefined ? filter.subject : words.subject(about),
              })}
            </Chip>
          )}
          {filter.action === '' ? null : (
            <Chip onRemove={() => onFilter({ action: '' })}>
              {t('AUDIT.FILTERS.ACTION', { name: filter.action })}
            </Chip>
          )}
        </ul>
      )}
    </>
  );
}

/** A filter without a field of its own; a press removes it. */
function Chip({ children, onRemove }: { children: string; onRemove: () => void }) {
  const { t } = useTranslation();
  return (
    <li>
      <Button small className="audit-chip" title={t('AUDIT.FILTERS.REMOVE')} onClick={onRemove}>
        <span dir="auto">{children}</span>
        <Icon name="close" size={12} />
        <span className="visually-hidden">{t('AUDIT.FILTERS.REMOVE')}</span>
      </Button>
    </li>
  );
}
