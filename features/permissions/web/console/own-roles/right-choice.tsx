import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRightsWords } from '#web/platform/rights-words.ts';
import { RetryNotice } from '#web/ui/states.tsx';
import { Checkbox, SearchInput } from '#web/ui/text-input.tsx';

/** The most that are shown at once; the search finds the others. */
const mostShown = 60;

type RightChoiceProps = {
  chosen: readonly string[];
  onChosen: (rights: readonly string[]) => void;
  readOnly: boolean;
};

/** The rights of a role. The catalogue may have thousands. */
export function RightChoice({ chosen, onChosen, readOnly }: RightChoiceProps) {
  const { t } = useTranslation();
  const words = useRightsWords();
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const held = new Set(chosen);
  const offered = readOnly ? words.rights.filter(({ right }) => held.has(right)) : words.rights;
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
      {shown.length === 0 ? null : (
        <div className="right-choice">
          {shown.map((one) => {
            const label = (
              <>
                {words.right(one.right)} <code>{one.right}</code>
              </>
            );
            return readOnly ? (
              <span key={one.right} dir="auto">
                {label}
              </span>
            ) : (
              <Checkbox
                key={one.right}
                label={label}
                hint={words.area(one)}
                checked={held.has(one.right)}
                onChecked={(checked) =>
                  onChosen(checked ? [...chosen, one.right] : chosen.filter((right) => right !== one.right))
                }
              />
            );
          })}
        </div>
      )}
      {found.length > shown.length ? (
        <p className="muted">{t('ROLES_AND_RIGHTS.RIGHT.OTHERS', { count: found.length - shown.length })}</p>
      ) : null}
    </fieldset>
  );
}
