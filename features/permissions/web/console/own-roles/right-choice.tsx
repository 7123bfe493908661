import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRightsWords } from '#web/platform/rights-words.ts';
import { RetryNotice } from '#web/ui/states.tsx';
import { Checkbox, SearchInput } from '#web/ui/text-input.tsx';

/** The most that are shown at once; the search finds the others. */
const mostShown = 60;

type RightChoiceProps = {
  chosen: readonly string[];
  /** Null: read only. */
  onChosen: ((rights: readonly string[]) => void) | null;
};

/** The rights of a role, by area. The catalogue may have thousands. */
export function RightChoice({ chosen, onChosen }: RightChoiceProps) {
  const { t } = useTranslation();
  const words = useRightsWords();
  const id = useId();
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const held = new Set(chosen);
  const offered = onChosen === null ? words.rights.filter(({ right }) => held.has(right)) : words.rights;
  const found = offered.filter((one) =>
    `${one.right}\n${words.right(one.right)}\n${words.area(one)}`.toLowerCase().includes(wanted),
  );
  const shown = found.slice(0, mostShown);
  return (
    <fieldset className="choice">
      <legend>{t('ROLES_AND_RIGHTS.ROLE.RIGHTS_COUNT', { count: chosen.length })}</legend>
      {words.missing.rights === null ? null : (
        <RetryNotice retry={{ label: t('COMMON.RETRY'), ...words.missing.rights }}>
          {t('ROLES_AND_RIGHTS.RIGHT.FAILED')}
        </RetryNotice>
      )}
      {offered.length > 8 ? (
        <SearchInput
          label={t('ROLES_AND_RIGHTS.RIGHT.SEARCH')}
          value={search}
          maxLength={100}
          onValue={setSearch}
        />
      ) : null}
      {found.length === 0 ? <p className="muted">{t('ROLES_AND_RIGHTS.RIGHT.NOTHING_FOUND')}</p> : null}
      {[...Map.groupBy(shown, (one) => words.area(one))].map(([area, rights], at) => (
        <div key={area} role="group" aria-labelledby={`${id}${at}`} className="right-choice stack gap-2">
          <span id={`${id}${at}`} className="muted small strong" dir="auto">
            {area}
          </span>
          {rights.map(({ right }) => {
            const label = (
              <>
                {words.right(right)} <code>{right}</code>
              </>
            );
            return onChosen === null ? (
              <span key={right} dir="auto">
                {label}
              </span>
            ) : (
              <Checkbox
                key={right}
                label={label}
                checked={held.has(right)}
                onChecked={(checked) =>
                  onChosen(checked ? [...chosen, right] : chosen.filter((one) => one !== right))
                }
              />
            );
          })}
        </div>
      ))}
      {found.length > shown.length ? (
        <p className="muted">{t('ROLES_AND_RIGHTS.RIGHT.OTHERS', { count: found.length - shown.length })}</p>
      ) : null}
    </fieldset>
  );
}
