import type { WindowPhase } from '#features/maintenance/contract/windows.ts';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '#web/platform/i18n/catalogue-key.ts';
import type { IconName } from '#web/ui/icon.tsx';
import { Tag, type TagKind } from '#web/ui/tag.tsx';

const looks: Record<WindowPhase, { kind: TagKind; icon: IconName }> = {
  scheduled: { kind: 'plain', icon: 'clock' },
  imminent: { kind: 'medium', icon: 'clock' },
  active: { kind: 'info', icon: 'wrench' },
  overdue: { kind: 'high', icon: 'alert' },
  ended: { kind: 'ok', icon: 'check' },
  cancelled: { kind: 'plain', icon: 'close' },
};

/** The phase of a window, in a word. */
export function PhaseTag({ phase }: { phase: WindowPhase }) {
  const { t } = useTranslation();
  return <Tag {...looks[phase]}>{t(`MAINTENANCE.CONSOLE.PHASES.${catalogueKey(phase)}`)}</Tag>;
}
