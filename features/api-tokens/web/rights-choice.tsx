import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { RetryNotice, Skeleton } from '#web/ui/states.tsx';
import { Checkbox, SearchInput } from '#web/ui/text-input.tsx';
import { rightName } from './right-name.ts';

type RightsChoiceProps = {
  /** The rights to choose from; undefined while they load. */
  rights: readonly string[] | undefined;
  /** Set when they could not be loaded. */
  failed: { onRetry: () => void; busy: boolean } | null;
  chosen: readonly string[];
  onChosen: (rights: string[]) => void;
  problem: string | undefined;
};

/** Above this many rights there is a search, and only this many are shown. */
const manageable = 20;
const mostShown = 100;

/** Which of the person's own rights a token has. */
export function RightsChoice({ rights, failed, chosen, onChosen, problem }: RightsChoiceProps) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const id = useId();
  const wanted = search.trim().toLocaleLowerCase();
  const found = (rights ?? []).filter(
    (right) => wanted === '' || `${right} ${rightName(t, right)}`.toLocaleLowerCase().includes(wanted),
  );
  return (
    <fieldset className="choice" aria-describedby={problem === undefined ? undefined : id}>
      <legend>{t('API_TOKENS.RIGHTS')}</legend>
      <p className="muted">{t('API_TOKENS.RIGHTS_HINT')}</p>
      {problem === undefined ? null : (
        <span className="field-error" id={id} role="alert">
          <Icon name="alert" size={14} />
          <span>{problem}</span>
        </span>
      )}
      {rights === undefined ? (
        failed !== null ? (
          <RetryNotice retry={{ label: t('COMMON.RETRY'), ...failed }}>
            {t('API_TOKENS.RIGHTS_FAILED')}
          </RetryNotice>
        ) : (
          <Skeleton label={t('API_TOKENS.LOADING')} count={4} />
        )
      ) : (
        <>
          {rights.length > manageable ? (
            <SearchInput label={t('API_TOKENS.SEARCH_RIGHTS')} value={search} onValue={setSearch} />
          ) : null}
          <div className="token-rights">
            {found.slice(0, mostShown).map((right) => (
              <Checkbox
                key={right}
                label={rightName(t, right)}
                hint={rightName(t, right) === right ? undefined : <code>{right}</code>}
                checked={chosen.includes(right)}
                onChecked={(checked) =>
                  onChosen(rights.filter((other) => (other === right ? checked : chosen.includes(other))))
                }
              />
            ))}
          </div>
          {found.length > mostShown ? (
            <p className="muted">{t('API_TOKENS.MORE_RIGHTS', { count: found.length - mostShown })}</p>
          ) : null}
          {chosen.length === 0 ? null : (
            <span>
              <Button small tone="quiet" onClick={() => onChosen([])}>
                {t('API_TOKENS.NO_RIGHTS')}
              </Button>
            </span>
          )}
        </>
      )}
    </fieldset>
  );
}
