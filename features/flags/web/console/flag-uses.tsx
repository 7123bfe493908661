import type { FlagDetails } from '#features/flags/contract/flags.ts';
import { type UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { readProblemText } from '#web/platform/calls/problem-text.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Skeleton } from '#web/ui/states.tsx';
import { useFormats } from '#web/platform/contexts.tsx';
import { isFirstLoad } from '#web/platform/lists/list-state.ts';

type Details = UseQueryResult<FlagDetails>;

/** The keys of flags that a change of this flag affects: flags that depend on it and are on. */
export function affectedBy({ usedBy }: FlagDetails): string[] {
  return usedBy.filter(({ enabled }) => enabled).map(({ key }) => key);
}

/** The keys of flags whose rules directly depend on this flag, on or off. */
export function askingFor({ usedBy }: FlagDetails): string[] {
  return usedBy.filter(({ conditions }) => conditions.length > 0).map(({ key }) => key);
}

/** A sentence with the affected flags; nothing if there are none. */
export function AffectedFlags({
  details,
  sentence,
}: {
  details: Details;
  sentence: 'OFF' | 'TYPE' | 'ARCHIVE';
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  if (details.data === undefined) return <Unknown details={details} />;
  const keys = sentence === 'ARCHIVE' ? askingFor(details.data) : affectedBy(details.data);
  if (keys.length === 0) return null;
  return (
    <Notice severity={sentence === 'ARCHIVE' ? 'high' : 'medium'}>
      {t(`FLAGS.USED_BY.${sentence}`, { count: keys.length, keys: formats.list(keys) })}
    </Notice>
  );
}

function Unknown({ details }: { details: Details }) {
  const { t } = useTranslation();
  if (isFirstLoad(details)) return <Skeleton label={t('FLAGS.USED_BY.LOADING')} count={1} />;
  return (
    <Notice severity="medium" role="alert">
      {t('FLAGS.USED_BY.FAILED')} {readProblemText(t, details.error)}{' '}
      <Button small busy={details.isFetching} onClick={() => void details.refetch()}>
        {t('COMMON.RETRY')}
      </Button>
    </Notice>
  );
}

/**
 * What a change of type affects: conditions of other flags, connected clients, and the right of a boolean
 * flag.
 */
export function TypeUses({ details }: { details: Details }) {
  const { t } = useTranslation();
  const { data } = details;
  if (data === undefined) return null;
  const asked = data.usedBy.flatMap(({ key, enabled, conditions }) =>
    conditions.map((one) => ({ ...one, key, enabled })),
  );
  const clients = data.clients.filter(({ connected }) => connected > 0);
  if (asked.length === 0 && clients.length === 0 && data.type !== 'boolean') return null;
  return (
    <ul className="flag-uses">
      {asked.map(({ key, enabled, pointer, condition }) => (
        <li key={`${key} ${pointer}`}>
          {t(enabled ? 'FLAGS.USED_BY.CONDITION' : 'FLAGS.USED_BY.CONDITION_OFF', {
            key,
            rule: ruleOf(pointer),
          })}{' '}
          <code>{JSON.stringify(condition)}</code>
        </li>
      ))}
      {clients.map(({ key, kind, name, connected }) => (
        <li key={key}>
          {t('FLAGS.USED_BY.CLIENTS', {
            count: connected,
            name,
            kind: t(`FLAGS.CONNECT.KINDS.${catalogueKey(kind)}.LABEL`),
          })}
        </li>
      ))}
      {data.type === 'boolean' ? <li>{t('FLAGS.USED_BY.RIGHT', { right: `FF_${data.key}` })}</li> : null}
    </ul>
  );
}

/** The number of the rule in a pointer: 2 for `/rules/1/parentConditions/0`. */
function ruleOf(pointer: string): number {
  return Number(pointer.split('/')[2]) + 1;
}
