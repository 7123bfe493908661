import type { AuditEntry } from '#features/audit/contract/audit.ts';
import { Face } from '#web/ui/face.tsx';
import { Icon, type IconName } from '#web/ui/icon.tsx';
import { initials } from '#web/platform/named-person.ts';

const icons: Record<Exclude<AuditEntry['through'], 'person'>, IconName> = {
  token: 'key',
  'command-line': 'monitor',
  start: 'settings',
  guard: 'shield',
};

/** The author of an entry as an icon: a person's initials, or the symbol of a program. */
export function EntryFace({ entry: { through, actor } }: { entry: Pick<AuditEntry, 'through' | 'actor'> }) {
  if (through !== 'person')
    return (
      <span className="face face-program" aria-hidden="true">
        <Icon name={icons[through]} size={14} />
      </span>
    );
  const name = actor.nameNow ?? actor.name;
  return <Face letters={initials(name)} of={name} />;
}
