import type { Flag, FlagVersion } from '#features/flags/contract/flags.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { HistoryLink } from '#web/platform/lists/history-link.tsx';
import { listState } from '#web/platform/lists/list-state.ts';
import { namedActor } from '#web/platform/named-person.ts';
import { Button } from '#web/ui/button.tsx';
import { SelectField } from '#web/ui/field.tsx';
import { ListFrame } from '#web/ui/list-frame.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { Time } from '#web/ui/time.tsx';
import { describeChange } from './describe-change.ts';
import { unmarked } from './describe-rule.ts';
import { flagVersionsQuery } from './flags-query.ts';
import { useSegmentName } from './segment-input.tsx';
import { useFormats } from '#web/platform/contexts.tsx';

type FlagHistoryProps = {
  flag: Pick<Flag, 'key' | 'version'>;
  /** Puts a version into the form, to be tried before it is saved; null: the form cannot be changed now. */
  onRestore: ((version: FlagVersion) => void) | null;
};

/** The versions of a flag: who changed what, compared with the version before or with any other one (FLAG-14). */
export function FlagHistory({ flag, onRestore }: FlagHistoryProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const segmentName = useSegmentName();
  const answer = useInfiniteQuery(flagVersionsQuery(flag.key));
  const [compared, setCompared] = useState('');
  const versions = answer.data?.pages.flatMap((page) => page.versions) ?? [];
  const other = versions.find(({ id }) => id === compared);
  const options = { t, locale: formats.locale, segmentName };
  const named = ({ version, at }: FlagVersion) =>
    `${t('FLAGS.HISTORY.VERSION', { version })} · ${formats.dateTime(at)}`;

  function sentences(index: number): string[] {
    const version = versions[index];
    const before = other ?? versions[index + 1];
    if (version === undefined || version === other) return [];
    if (before === undefined) return answer.hasNextPage ? [] : [t('FLAGS.HISTORY.FIRST')];
    const found = describeChange(before.flag, version.flag, options).map(unmarked);
    return found.length > 0 ? found : [t('FLAGS.HISTORY.SAME')];
  }

  return (
    <div className="stack gap-3">
      <ListFrame
        texts="FLAGS.HISTORY"
        {...listState(t, answer)}
        skeletonRows={3}
        count={versions.length}
        empty={{ icon: 'flag' }}
      >
        {versions.length < 2 ? null : (
          <SelectField
            label={t('FLAGS.HISTORY.COMPARED')}
            value={other === undefined ? '' : compared}
            onValue={setCompared}
            options={[
              { value: '', label: t('FLAGS.HISTORY.BEFORE') },
              ...versions.map((version) => ({ value: version.id, label: named(version) })),
            ]}
          />
        )}
        <ol className="list panel">
          {versions.map((version, index) => (
            <li key={version.id} className="stack gap-2">
              <div className="row wrap gap-2">
                <strong>{t('FLAGS.HISTORY.VERSION', { version: version.version })}</strong>
                {index === 0 ? <Tag kind="plain">{t('FLAGS.HISTORY.NOW')}</Tag> : null}
                {version.bypassed ? <Tag>{t('FLAGS.HISTORY.BYPASSED')}</Tag> : null}
                <span className="muted small breaks">
                  {namedActor(t, version.by)}
                  {' · '}
                  <Time at={version.at} formats={formats} />
                  {version.approvedBy === null
                    ? ''
                    : ` · ${t('FLAGS.HISTORY.APPROVED', { name: namedActor(t, version.approvedBy) })}`}
                </span>
                {index === 0 || onRestore === null ? null : (
                  <span className="end">
                    <Button
                      aria-label={t('FLAGS.HISTORY.RESTORE_ONE', { version: version.version })}
                      onClick={() => onRestore(version)}
                    >
                      {t('FLAGS.HISTORY.RESTORE')}
                    </Button>
                  </span>
                )}
              </div>
              {version.note === '' ? null : (
                <p className="breaks" dir="auto">
                  {version.note}
                </p>
              )}
              <ul className="stack gap-1 breaks">
                {sentences(index).map((sentence) => (
                  <li key={sentence} dir="auto">
                    {sentence}
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ol>
      </ListFrame>
      <HistoryLink subject={flag.key}>{t('FLAGS.HISTORY.AUDIT')}</HistoryLink>
    </div>
  );
}
