import type { OwnChange } from '#features/home/contract/home.ts';
import { useTranslation } from 'react-i18next';
import { role as builtInRole } from '#features/permissions/contract/permissions.ts';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { Icon, type IconName } from '#web/ui/icon.tsx';
import { Time } from '#web/ui/time.tsx';
import { useFormats } from '#web/platform/contexts.tsx';
import './own-changes.css';

const icons: Record<OwnChange['kind'], IconName> = {
  roles: 'shield',
  groups: 'people',
  rights: 'shield',
  password: 'lock',
  'password-removed': 'lock',
  'factor-added': 'key',
  'factor-removed': 'key',
  'factors-reset': 'key',
  'recovery-codes': 'key',
  'new-browser': 'monitor',
  'sign-in-failed': 'warning',
  'sign-in-slowed': 'warning',
  profile: 'person',
  email: 'person',
  'signed-out': 'sign-out',
};

/** What happened to the person's account, as sentences, and from which browser and network. */
export function OwnChanges({ changes }: { changes: readonly OwnChange[] }) {
  const formats = useFormats();
  const sentences = useSentences();
  return (
    <ul className="own-changes panel divided">
      {changes.map((change) => (
        <li key={change.id} className="breaks">
          <Icon name={icons[change.kind]} />
          <span className="stack gap-1">
            <span dir="auto">{sentences(change).join(' ')}</span>
            {change.client === null ? null : (
              <small className="muted">
                {[change.client, change.network].filter((part) => part !== null).join(' · ')}
              </small>
            )}
          </span>
          <small className="muted">
            <Time at={change.at} formats={formats} />
          </small>
        </li>
      ))}
    </ul>
  );
}

/** Returns a function that describes a change in sentences. */
function useSentences() {
  const { t } = useTranslation();
  const formats = useFormats();
  const isBuiltIn = (key: string) => builtInRole.safeParse(key).success;
  return ({ kind, byCaller, given, taken }: OwnChange): string[] => {
    if (kind !== 'roles' && kind !== 'rights')
      return [t(`HOME_CHANGES.${catalogueKey(kind)}.${byCaller ? 'YOURSELF' : 'OTHERS'}`)];
    const named = (some: OwnChange['given']) =>
      formats.list(
        some.map(({ key, name }) =>
          kind === 'roles'
            ? isBuiltIn(key)
              ? t(`ROLES.${catalogueKey(key)}.LABEL`)
              : (name ?? key)
            : (name ?? t(`RIGHTS.${key}.LABEL`, { defaultValue: key })),
        ),
      );
    const sentence = (what: 'GIVEN' | 'TAKEN', some: OwnChange['given']) =>
      some.length === 0
        ? []
        : [t(`HOME_CHANGES.${catalogueKey(kind)}.${what}`, { count: some.length, names: named(some) })];
    return [...sentence('GIVEN', given), ...sentence('TAKEN', taken)];
  };
}
