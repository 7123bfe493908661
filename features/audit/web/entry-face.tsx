import type { AuditEntry } from '#features/audit/contract/audit.ts';
import { Face } from '#web/ui/face.tsx';
import { Icon, type IconName } from '#web/ui/icon.tsx';
import { initials } from '#web/platform/named-person.ts';
import { auditActions } from '#contract/features.ts';

const areaIcons: Readonly<Record<string, IconName>> = {
  'api-token': 'key',
  backup: 'download',
  branding: 'image',
  'client-key': 'key',
  database: 'list',
  diagnostics: 'pulse',
  'diagnostics-project': 'pulse',
  error: 'alert',
  factor: 'shield',
  files: 'copy',
  flag: 'flag',
  'group-mapping': 'people',
  invitation: 'person',
  log: 'pulse',
  maintenance: 'wrench',
  'maintenance-window': 'wrench',
  'map-layer': 'map',
  'map-order': 'map',
  'map-workspace': 'map',
  operator: 'person',
  password: 'lock',
  person: 'person',
  profile: 'person',
  'recovery-codes': 'shield',
  report: 'inbox',
  'report-filter': 'list',
  retention: 'clock',
  right: 'shield',
  role: 'shield',
  segment: 'segments',
  'set-up': 'settings',
  'flag-review': 'flag',
  'sign-in-policy': 'shield',
  'signing-keys': 'lock',
  'source-maps': 'pulse',
  view: 'list',
  webhook: 'external',
};

/** The part of an action before the dot, such as `flag`. */
export function areaOf(action: string): string {
  return action.split('.', 1)[0] ?? '';
}

/** The areas that this release knows. */
export const areas = [...new Set(Object.keys(auditActions).map(areaOf))];

/** The icon of an area; an area that this release does not know gets the icon of the audit. */
export function areaIcon(area: string): IconName {
  return areaIcons[area] ?? 'list';
}

const throughIcons: Record<Exclude<AuditEntry['through'], 'person'>, IconName> = {
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
        <Icon name={throughIcons[through]} size={14} />
      </span>
    );
  const name = actor.nameNow ?? actor.name;
  return <Face letters={initials(name)} of={name} />;
}
