import type { Presence } from '#features/presence/contract/presence.ts';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '#web/ui/icon.tsx';

/** How many of all tabs have no unsaved work. */
export function Drain({ presence: { tabs, unsaved } }: { presence: Presence }) {
  const { t } = useTranslation();
  const id = useId();
  const ready = Math.max(0, tabs - unsaved);
  return (
    <div className="drain">
      <p id={id} className="drain-words">
        {unsaved === 0 ? <Icon name="check-circle" /> : <Icon name="edit" />}
        <span>
          {tabs === 0
            ? t('MAINTENANCE.CONSOLE.DRAIN.NOBODY')
            : unsaved === 0
              ? t('MAINTENANCE.CONSOLE.DRAIN.DONE', { count: tabs })
              : tabs === 1
                ? t('MAINTENANCE.CONSOLE.DRAIN.LEFT_ONLY')
                : t('MAINTENANCE.CONSOLE.DRAIN.LEFT', { count: unsaved, tabs })}
        </span>
      </p>
      <progress
        className="drain-bar"
        aria-labelledby={id}
        max={Math.max(1, tabs)}
        value={tabs === 0 ? 1 : ready}
        data-done={unsaved === 0}
      />
    </div>
  );
}
