import {
  type Preview,
  previewChange,
  type ProposedChange,
} from '#features/permissions/contract/administration.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { readProblemText } from '#web/platform/calls/problem-text.ts';
import { routeQuery } from '#web/platform/calls/route-query.ts';
import { retryProps } from '#web/platform/lists/list-state.ts';
import { rightsKey, useRightsWords } from '#web/platform/rights-words.ts';
import { Notice } from '#web/ui/notice.tsx';
import { RetryNotice, Skeleton } from '#web/ui/states.tsx';
import { useDebounced } from '#web/platform/state/use-store.ts';
import { useFormats } from '#web/platform/contexts.tsx';

/** The effect of a change, and on whom; always loaded again, since people come and go. */
const previewQuery = (change: ProposedChange) => ({
  ...routeQuery([...rightsKey, 'preview', change], previewChange, { body: change }),
  gcTime: 0,
  staleTime: 0,
});

/** How many rights were added and removed; null where none was. */
export function changeOf(
  before: readonly string[],
  after: readonly string[],
): { added: number; removed: number } | null {
  const added = after.filter((right) => !before.includes(right)).length;
  const removed = before.length - (after.length - added);
  return added + removed === 0 ? null : { added, removed };
}

/**
 * The people whom a change affects: their number, their names, and what each of them gains and loses. They are looked
 * up once the change has stayed the same for a while.
 */
export function AffectedPeople({ change }: { change: ProposedChange }) {
  const { t } = useTranslation();
  const { value, settled } = useDebounced(change);
  const query = useQuery(previewQuery(value));
  const preview = settled && !query.isFetching ? query.data : undefined;
  if (settled && query.data === undefined && query.errorUpdateCount > 0) {
    return (
      <RetryNotice retry={retryProps(t, query).retry}>
        {t('ROLES_AND_RIGHTS.TOUCHED.FAILED')} {readProblemText(t, query.error)}
      </RetryNotice>
    );
  }
  return (
    <section
      className="touched stack gap-2"
      aria-label={t('ROLES_AND_RIGHTS.TOUCHED.TITLE')}
      aria-live="polite"
    >
      {preview === undefined ? (
        <Skeleton label={t('ROLES_AND_RIGHTS.TOUCHED.LOADING')} count={2} />
      ) : (
        <Consequences preview={preview} />
      )}
    </section>
  );
}

function Consequences({ preview }: { preview: Preview }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const names = useRightsWords();
  const rights = (list: readonly string[]) => formats.list(list.map((right) => names.right(right)));
  const others = preview.touched - preview.people.length;
  return (
    <>
      {preview.lastAdministrator ? (
        <Notice severity="high">{t('ROLES_AND_RIGHTS.ERRORS.LAST_ADMINISTRATOR')}</Notice>
      ) : null}
      <strong>
        {preview.touched === 0
          ? t('ROLES_AND_RIGHTS.TOUCHED.NOBODY')
          : t('ROLES_AND_RIGHTS.TOUCHED.COUNT', { count: preview.touched })}
      </strong>
      {preview.touched === 0 ? null : (
        <p className="muted">
          {t('ROLES_AND_RIGHTS.TOUCHED.WHO_GAINS', {
            gaining: formats.number(preview.gaining),
            losing: formats.number(preview.losing),
          })}
        </p>
      )}
      {preview.roles.length === 0 ? null : (
        <p>
          {t('ROLES_AND_RIGHTS.TOUCHED.IN_ROLES', {
            count: preview.roles.length,
            roles: formats.list(preview.roles.map((role) => names.role(role))),
          })}
        </p>
      )}
      {preview.mappings === 0 ? null : (
        <p>{t('ROLES_AND_RIGHTS.TOUCHED.IN_GROUPS', { count: preview.mappings })}</p>
      )}
      {preview.people.length === 0 ? null : (
        <ul>
          {preview.people.map(({ id, name, email, gained, lost }) => (
            <li key={id}>
              <bdi>{name}</bdi>
              {name === email ? null : <span className="muted"> {email}</span>}
              {gained.length === 0 ? null : (
                <span className="line breaks">
                  {t('ROLES_AND_RIGHTS.TOUCHED.GAINS', { rights: rights(gained) })}
                </span>
              )}
              {lost.length === 0 ? null : (
                <span className="line breaks">
                  {t('ROLES_AND_RIGHTS.TOUCHED.LOSES', { rights: rights(lost) })}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {others > 0 ? <p className="muted">{t('ROLES_AND_RIGHTS.TOUCHED.OTHERS', { count: others })}</p> : null}
    </>
  );
}
