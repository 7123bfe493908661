import type { Presence } from '#features/presence/contract/presence.ts';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '#web/ui/icon.tsx';
import { presenceQuery } from './maintenance-queries.ts';
import { useFormats } from '#web/platform/contexts.tsx';

/** How many people a step concerns now, for its confirmation. */
export function ConnectedPeople() {
  const { t } = useTranslation();
  // A count that can no longer be read would understate whom the step concerns.
  const { data, isError } = useQuery(presenceQuery(true));
  return (
    <p>
      <strong>
        {data === undefined || isError ? t('MAINTENANCE.CONSOLE.PRESENCE.UNKNOWN') : presenceInWords(t, data)}
      </strong>
    </p>
  );
}

type WorkingTileProps = {
  presence: UseQueryResult<Presence>;
  /** Whether to show how many tabs have no unsaved work: true once people are notified. */
  showsDrain: boolean;
};

/** The number of people at work. */
export function WorkingTile({ presence: { data, isError }, showsDrain }: WorkingTileProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <section className="panel stack gap-2 pad-4" aria-labelledby="still-working">
      <h2 id="still-working" className="muted small strong">
        {t('MAINTENANCE.CONSOLE.PRESENCE.TITLE')}
      </h2>
      <div className="row wrap baseline gap-3">
        <p className="now-figure nowrap">{data === undefined ? '–' : formats.number(data.people)}</p>
        <p>
          {data === undefined
            ? t(`MAINTENANCE.CONSOLE.PRESENCE.${isError ? 'UNKNOWN' : 'LOADING'}`)
            : data.people === 0
              ? t('MAINTENANCE.CONSOLE.PRESENCE.NOBODY')
              : tabsInWords(t, data)}
        </p>
      </div>
      {showsDrain && data !== undefined ? <Drain presence={data} /> : null}
    </section>
  );
}

/** How many of all tabs have no unsaved work. */
function Drain({ presence: { tabs, unsaved } }: { presence: Presence }) {
  const { t } = useTranslation();
  const id = useId();
  const words = () => {
    if (tabs === 0) return t('MAINTENANCE.CONSOLE.DRAIN.NOBODY');
    if (unsaved === 0) return t('MAINTENANCE.CONSOLE.DRAIN.DONE', { count: tabs });
    if (tabs === 1) return t('MAINTENANCE.CONSOLE.DRAIN.LEFT_ONLY');
    return t('MAINTENANCE.CONSOLE.DRAIN.LEFT', { count: unsaved, tabs });
  };
  return (
    <div className="stack gap-2">
      <p id={id} className="row top">
        <Icon name={unsaved === 0 ? 'check-circle' : 'edit'} />
        <span>{words()}</span>
      </p>
      <progress
        className="drain-bar sunk full"
        aria-labelledby={id}
        max={Math.max(1, tabs)}
        value={tabs === 0 ? 1 : Math.max(0, tabs - unsaved)}
        data-done={unsaved === 0}
      />
    </div>
  );
}

/** `12 people are working now, in 15 tabs, 3 with unsaved work.` */
function presenceInWords(t: TFunction, presence: Presence): string {
  if (presence.people === 0) return t('MAINTENANCE.CONSOLE.PRESENCE.NOBODY');
  return t('MAINTENANCE.CONSOLE.PRESENCE.WORDS', {
    people: t('MAINTENANCE.CONSOLE.PRESENCE.PEOPLE', { count: presence.people }),
    tabs: tabsInWords(t, presence),
  });
}

function tabsInWords(t: TFunction, { tabs, unsaved }: Presence): string {
  return [
    t('MAINTENANCE.CONSOLE.PRESENCE.TABS', { count: tabs }),
    unsaved === 0
      ? t('MAINTENANCE.CONSOLE.PRESENCE.NONE_UNSAVED')
      : t('MAINTENANCE.CONSOLE.PRESENCE.UNSAVED', { count: unsaved }),
  ].join(', ');
}
