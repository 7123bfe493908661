import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats, useServerClock } from '#web/platform/contexts.tsx';
import type { Readable } from '#web/platform/state/store.ts';
import { useStore } from '#web/platform/state/use-store.ts';
import { dismiss, notify } from '#web/ui/notifications/notifications.ts';
import type { Maintenance } from './maintenance.ts';

const key = 'maintenance.save';
const minute = 60_000;

type SavePromptProps = {
  maintenance: Pick<Maintenance, 'approach' | 'mayPass'>;
  /** The number of places in this tab with unsaved work. */
  unsaved: Readable<number>;
};

/**
 * Asks the person to save what is typed: five minutes and one minute before a window that refuses changes. The
 * prompt closes when the work is saved, or the window called off or postponed; once closed, it shows again at its
 * next time.
 */
export function SavePrompt({ maintenance, unsaved: places }: SavePromptProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const clock = useServerClock();
  const approach = useStore(maintenance.approach);
  const mayPass = useStore(maintenance.mayPass);
  const unsaved = useStore(places) > 0;
  const asked = useRef('');

  useEffect(() => {
    // A person who may make changes in read-only mode has no deadline.
    const exempt = mayPass && approach?.window.mode === 'read-only';
    if (approach === null || !unsaved || exempt) {
      dismiss(key);
      return;
    }
    const { minutes, window } = approach;
    const occasion = `${window.startsAt} ${minutes}`;
    if (asked.current === occasion) return;
    asked.current = occasion;
    const count = Math.max(1, Math.ceil((window.startsAt - clock.now()) / minute));
    notify({
      kind: 'warning',
      key,
      duration: 0,
      title: t('MAINTENANCE.SAVE.TITLE', { count, time: formats.time(window.startsAt) }),
      content: t('MAINTENANCE.SAVE.CONTENT'),
    });
  }, [approach, unsaved, mayPass, clock, formats, t]);

  return null;
}
