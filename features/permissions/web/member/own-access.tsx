import {
  type AccessRight,
  type AccessSource,
  getOwnAccess,
} from '#features/permissions/contract/own-access.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { routeQuery } from '#web/platform/calls/route-query.ts';
import { isFirstLoad, retryProps } from '#web/platform/lists/list-state.ts';
import { catalogueKey, isolated } from '#web/platform/i18n/isolated.ts';
import { Button } from '#web/ui/button.tsx';
import { RetryNotice, Skeleton } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { useFormats } from '#web/platform/contexts.tsx';
import '#web/ui/screen.css';
import './own-access.css';

/** There may be 10,000 rights. */
const page = 100;

/** Loaded again when the rights of the person have changed. */
export const ownAccessKey = ['own-access'] as const;

const ownAccessQuery = routeQuery(ownAccessKey, getOwnAccess, { params: { userId: 'current' } });

/** What the person may do, by area, and why: by which role, group or exception (RIGHT-4). */
export function OwnAccess() {
  const { t } = useTranslation();
  const access = useQuery(ownAccessQuery);
  const known = access.data;
  const rights = known?.rights ?? [];
  const [shown, setShown] = useState(page);
  return (
    <section className="section section-divided" aria-labelledby="own-access">
      <div>
        <h2 id="own-access">{t('OWN_ACCESS.TITLE')}</h2>
        <p className="muted">
          {known !== undefined && rights.length === 0 ? t('OWN_ACCESS.NONE') : t('OWN_ACCESS.LEAD')}
        </p>
      </div>
      <div className="stack gap-4">
        {isFirstLoad(access) ? (
          <Skeleton label={t('COMMON.LOADING')} kind="rows" count={3} />
        ) : known === undefined ? (
          <RetryNotice retry={retryProps(t, access).retry}>{t('HOME.RIGHTS.FAILED')}</RetryNotice>
        ) : (
          byArea(rights.slice(0, shown)).map(([area, inArea]) => (
            <div key={area.name} className="own-access-area">
              <h3 className="muted small">
                {area.builtIn ? t(`HOME.AREAS.${catalogueKey(area.name)}`) : area.name}
              </h3>
              <ul className="panel">
                {inArea.map((one) => (
                  <RightRow key={one.right} right={one} roleNames={known.roleNames} />
                ))}
              </ul>
            </div>
          ))
        )}
        {rights.length > shown ? (
          <div>
            <Button onClick={() => setShown(shown + 10 * page)}>{t('COMMON.MORE')}</Button>
          </div>
        ) : null}
      </div>
    </section>
  );
}

type RightRowProps = { right: AccessRight; roleNames: Readonly<Record<string, string>> };

function RightRow({ right: { right, builtIn, ...one }, roleNames }: RightRowProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const roleName = (role: string) => roleNames[role] ?? t(`ROLES.${catalogueKey(role)}.LABEL`);
  const until = (key: string, at: number | null) =>
    at === null ? t(`OWN_ACCESS.${key}`) : t(`OWN_ACCESS.${key}_UNTIL`, { until: formats.dateTime(at) });
  const why = (source: AccessSource): string => {
    if (source.kind === 'exception') return until('EXCEPTION', source.expiresAt);
    const role = roleName(source.role);
    return source.kind === 'role'
      ? t('OWN_ACCESS.ROLE', { role })
      : t('OWN_ACCESS.GROUP', { role, group: isolated(source.group) });
  };
  const label = builtIn ? t(`RIGHTS.${right}.LABEL`) : one.label || right;
  const description = builtIn ? t(`RIGHTS.${right}.DESCRIPTION`) : one.description;
  return (
    <li>
      <div dir="auto">
        <strong>{label}</strong> {one.allowed ? null : <Tag kind="high">{t('OWN_ACCESS.NOT_ALLOWED')}</Tag>}
        {description === '' ? null : <p className="muted">{description}</p>}
      </div>
      <div className="muted">
        {one.denied === null
          ? one.sources.map((source) => <p key={JSON.stringify(source)}>{why(source)}</p>)
          : until('DENIED', one.denied.expiresAt)}
      </div>
    </li>
  );
}

type Area = { name: string; builtIn: boolean };

/** In the order of the rights; an own area may be called as a built-in one. */
function byArea(rights: readonly AccessRight[]): [Area, AccessRight[]][] {
  const areas = new Map<string, [Area, AccessRight[]]>();
  for (const one of rights) {
    const { area: name, builtIn } = one;
    const key = `${builtIn} ${name}`;
    const known = areas.get(key);
    if (known === undefined) areas.set(key, [{ name, builtIn }, [one]]);
    else known[1].push(one);
  }
  return [...areas.values()];
}
