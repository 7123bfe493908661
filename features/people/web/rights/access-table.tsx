import type { OwnEffect, WhyRight } from '#features/permissions/contract/administration.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { type RightsWords, useRightsWords } from '#web/platform/rights-words.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { SearchInput, Select } from '#web/ui/text-input.tsx';
import { missingWords, ownWords, sourceWords } from './why-words.ts';
import { useFormats } from '#web/platform/contexts.tsx';

const page = 50;
const kinds = ['all', 'allowed', 'not-allowed', 'exceptions'] as const;
type Kind = (typeof kinds)[number];

type AccessTableProps = {
  rights: readonly WhyRight[];
  /** Null for people who may not change them. */
  onChange: ((right: string, effect: OwnEffect) => void) | null;
};

/** Every right by area: allowed or not, and why (RIGHT-4). */
export function AccessTable({ rights, onChange }: AccessTableProps) {
  const { t } = useTranslation();
  const names = useRightsWords();
  const [search, setSearch] = useState('');
  const [kind, setKind] = useState<Kind>('all');
  const [shown, setShown] = useState(page);
  const found = byArea(
    rights.filter((why) => isOfKind(why, kind)),
    names,
    search.trim().toLowerCase(),
  );
  const held = rights.filter((why) => why.held).length;
  const areas = [...Map.groupBy(found.slice(0, shown), ({ area }) => area)];
  return (
    <section className="panel shrinks" aria-labelledby="person-rights">
      <div className="person-card-head gap-2-4 row wrap between">
        <h2 id="person-rights">{t('PEOPLE.WHY.TITLE')}</h2>
        <span className="muted">{t('PEOPLE.WHY.COUNT', { count: held, all: rights.length })}</span>
      </div>
      <div className="person-card-body stack">
        {rights.some((why) => why.blocked) ? (
          <Notice severity="info">{t('PEOPLE.WHY.BLOCKED')}</Notice>
        ) : null}
        <div className="access-filter row wrap">
          <SearchInput
            label={t('PEOPLE.WHY.SEARCH')}
            value={search}
            maxLength={100}
            onValue={(text) => {
              setSearch(text);
              setShown(page);
            }}
          />
          <Select
            aria-label={t('PEOPLE.WHY.SHOW')}
            value={kind}
            onValue={(value) => {
              setKind(value);
              setShown(page);
            }}
            options={kinds.map((value) => ({ value, label: t(`PEOPLE.WHY.KINDS.${catalogueKey(value)}`) }))}
          />
        </div>
        {found.length === 0 ? <p className="muted">{t('PEOPLE.WHY.NOTHING_FOUND')}</p> : null}
      </div>
      {found.length === 0 ? null : (
        <div className="access-frame">
          <table className="access">
            <caption className="visually-hidden">{t('PEOPLE.WHY.TITLE')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('PEOPLE.RIGHT')}</th>
                <th scope="col">{t('PEOPLE.PERSON.ACCESS')}</th>
                <th scope="col">{t('PEOPLE.WHY.WHY')}</th>
                {onChange === null ? null : (
                  <th scope="col">
                    <span className="visually-hidden">{t('PEOPLE.PERSON.ACTIONS')}</span>
                  </th>
                )}
              </tr>
            </thead>
            {areas.map(([area, ofArea]) => (
              <tbody key={area}>
                <tr className="access-area">
                  <th scope="rowgroup" colSpan={onChange === null ? 3 : 4}>
                    {area}
                  </th>
                </tr>
                {ofArea.map(({ why }) => (
                  <RightRow key={why.right} why={why} names={names} onChange={onChange} />
                ))}
              </tbody>
            ))}
          </table>
        </div>
      )}
      {found.length > shown ? (
        <div className="list-more">
          <Button onClick={() => setShown(shown + 5 * page)}>{t('COMMON.MORE')}</Button>
        </div>
      ) : null}
    </section>
  );
}

function isOfKind(why: WhyRight, kind: Kind): boolean {
  if (kind === 'allowed') return why.held;
  if (kind === 'not-allowed') return !why.held;
  return kind === 'all' || isException(why);
}

function isException({ denial, sources }: WhyRight): boolean {
  return denial !== null || sources.some((source) => source.kind === 'grant');
}

/** The rights that the words find, by area, in the order in which the catalogue first names the areas. */
function byArea(rights: readonly WhyRight[], names: RightsWords, wanted: string) {
  const areas = new Map(names.rights.map((one) => [one.right, names.area(one)]));
  const found = rights
    .map((why) => ({ why, area: areas.get(why.right) ?? '' }))
    .filter(({ why: { right }, area }) =>
      `${right}\n${names.right(right)}\n${area}`.toLowerCase().includes(wanted),
    );
  return [...Map.groupBy(found, ({ area }) => area).values()].flat();
}

type RightRowProps = { why: WhyRight; names: RightsWords; onChange: AccessTableProps['onChange'] };

function RightRow({ why, names, onChange }: RightRowProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const words = { t, formats, names };
  const label = names.right(why.right);
  return (
    <tr data-right={why.right} data-held={why.held}>
      <th scope="row" className="access-right">
        {label} <code className="muted">{why.right}</code>
      </th>
      <td className="access-held">
        <Held why={why} />
      </td>
      <td className="access-why">
        {why.denial === null ? null : <p>{ownWords(words, 'DENIAL', why.denial)}</p>}
        {why.sources.map((source, index) => (
          <p key={index} className={why.held ? undefined : 'muted'}>
            {sourceWords(words, source)}
          </p>
        ))}
        {why.sources.length > 0 || why.denial !== null ? null : (
          <p className="muted">{missingWords(words, why)}</p>
        )}
      </td>
      {onChange === null ? null : (
        <td className="access-act">
          {why.sources.length === 0 ? (
            <Button
              small
              tone="quiet"
              aria-label={t('PEOPLE.OWN.GRANT_RIGHT', { right: label })}
              onClick={() => onChange(why.right, 'grant')}
            >
              {t('PEOPLE.OWN.GRANT')}
            </Button>
          ) : null}
          {why.sources.length > 0 && why.denial === null ? (
            <Button
              small
              tone="quiet"
              aria-label={t('PEOPLE.OWN.DENY_RIGHT', { right: label })}
              onClick={() => onChange(why.right, 'denial')}
            >
              {t('PEOPLE.OWN.DENY')}
            </Button>
          ) : null}
        </td>
      )}
    </tr>
  );
}

/** Allowed or not, in a word; a pill marks an exception. */
function Held({ why }: { why: WhyRight }) {
  const { t } = useTranslation();
  if (why.denial !== null) return <Tag kind="high">{t('PEOPLE.WHY.DENIED')}</Tag>;
  return (
    <>
      <span className={`inline-row gap-1 nowrap ${why.held ? 'ok' : 'muted'}`}>
        <Icon name={why.held ? 'check' : 'minus'} size={14} />
        {t(why.held ? 'PEOPLE.WHY.HELD' : 'PEOPLE.WHY.NOT_HELD')}
      </span>
      {isException(why) ? (
        <>
          {' '}
          <Tag kind="info">{t('PEOPLE.WHY.EXCEPTION')}</Tag>
        </>
      ) : null}
    </>
  );
}
