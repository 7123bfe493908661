import type { AuditEntry } from '#features/audit/contract/audit.ts';
import { auditActions } from '#contract/features.ts';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import type { Formats } from '#web/platform/i18n/formats.ts';
import { erasedCode, namedActor } from '#web/platform/named-person.ts';
import { isObject } from './difference.ts';
import { useValueWords, type ValueWords } from './value-words.ts';
import { useFormats } from '#web/platform/contexts.tsx';

/** What happens to people as they sign in, outside the console. */
const atSignIn: ReadonlySet<string> = new Set([
  'invitation.accept',
  'person.follow-email',
  'person.follow-groups',
  'person.not-me',
  'person.relink',
  'person.sign-in',
  'person.sign-in-failed',
  'person.sign-in-slowed',
]);

/** The most groups that a sentence names. */
const mostGroups = 5;

/** Describes entries in words. */
export function useEntryWords() {
  const { t } = useTranslation();
  const formats = useFormats();
  return entryWordsOf(t, formats, useValueWords());
}

/** Makes the functions of `useEntryWords` from given parts. */
export function entryWordsOf(t: TFunction, formats: Formats, words: ValueWords) {
  function actor({ through, actor: { name, nameNow } }: Pick<AuditEntry, 'through' | 'actor'>): string {
    switch (through) {
      case 'person':
        return personName(nameNow ?? name);
      case 'token':
        return t('AUDIT.ACTORS.TOKEN', { name });
      case 'command-line':
        return t('AUDIT.ACTORS.COMMAND_LINE', { name });
      case 'start':
        return t('AUDIT.ACTORS.START');
      case 'guard':
        return t('AUDIT.ACTORS.GUARD');
    }
  }

  const personName = (name: string): string => namedActor(t, name);

  /** The present name, else the name at that time, else the id. */
  function subject({ subject: { kind, id, nameNow }, before, after }: AuditEntry): string {
    if (nameNow !== null) return kind === 'person' ? personName(nameNow) : nameNow;
    const then = nameIn(after) ?? nameIn(before);
    // The name alone is not unique: a built-in right, for example, may have the same one.
    if (kind === 'right' || kind === 'role')
      return then === null ? id : t('AUDIT.SUBJECTS.QUOTED_WITH_KEY', { name: then, key: id });
    if (kind !== 'person') return then ?? id;
    return then === null ? t('AUDIT.SUBJECTS.GONE_PERSON', { code: id.slice(-6) }) : personName(then);
  }

  /** In words, through what an action was done: a session, a token, the command line. */
  function way({ through, action }: Pick<AuditEntry, 'through' | 'action'>): string {
    if (through === 'person' && atSignIn.has(action)) return t('AUDIT.WAYS.SIGN_IN');
    return t(`AUDIT.WAYS.${catalogueKey(through)}`);
  }

  function list(name: string, values: readonly string[]): string {
    return formats.list(values.map((value) => words.value(name, value)));
  }

  function sentence(entry: AuditEntry): string {
    const parts = { actor: actor(entry), subject: subject(entry) };
    if (!Object.hasOwn(auditActions, entry.action))
      return t('AUDIT.SAYS.OTHER', { ...parts, action: entry.action });
    const closer = entry.cut ? null : closerWords(entry);
    return t(`AUDIT.SAYS.${closer?.key ?? catalogueKey(entry.action)}`, {
      ...parts,
      right: '',
      roles: '',
      groups: '',
      before: '',
      after: '',
      ...closer?.values,
    });
  }

  /** A more exact sentence for this entry, or the values that its usual one names; null where there is neither. */
  function closerWords({ action, before, after }: AuditEntry): { key?: string; values?: object } | null {
    const was = isObject(before) ? before : {};
    const is = isObject(after) ? after : {};
    switch (action) {
      case 'person.set-roles': {
        const given = textsIn(is['roles']).filter((role) => !textsIn(was['roles']).includes(role));
        const taken = textsIn(was['roles']).filter((role) => !textsIn(is['roles']).includes(role));
        if (given.length > 0 && taken.length > 0)
          return {
            key: 'PERSON.ROLES_CHANGED',
            values: { given: list('roles', given), taken: list('roles', taken) },
          };
        if (given.length + taken.length === 0) return null;
        const roles = [...given, ...taken];
        return {
          key: given.length > 0 ? 'PERSON.ROLES_GIVEN' : 'PERSON.ROLES_TAKEN',
          values: { count: roles.length, roles: list('roles', roles) },
        };
      }
      case 'person.grant-right':
      case 'person.deny-right':
      case 'person.take-back-grant':
      case 'person.take-back-denial':
        return { values: { right: words.value('right', is['right'] ?? was['right']) } };
      case 'person.follow-groups': {
        const groups = [...textsIn(is['groups']), ...textsIn(is['roles'])].filter(
          (group) => erasedCode(group) === null,
        );
        if (groups.length === 0 || textsIn(was['groups']).length + textsIn(was['roles']).length > 0)
          return null;
        const shown = groups.length > mostGroups ? [...groups.slice(0, mostGroups), '…'] : groups;
        return {
          key: 'PERSON.FOLLOW_GROUPS_FIRST',
          values: { count: groups.length, groups: formats.list(shown) },
        };
      }
      case 'group-mapping.create':
      case 'group-mapping.update':
      case 'group-mapping.delete': {
        const mapping = action === 'group-mapping.delete' ? was : is;
        const roles = textsIn(mapping['roles']);
        if (roles.length === 0) return null;
        const which = mapping['match'] === 'prefix' ? 'PREFIX' : 'ROLES';
        return { key: `${catalogueKey(action)}_${which}`, values: { roles: list('roles', roles) } };
      }
      case 'flag.switch':
        return switched('FLAG', is['enabled']);
      case 'webhook.update':
        return was['enabled'] === is['enabled'] ? null : switched('WEBHOOK', is['enabled']);
      case 'maintenance.set':
        return was['mode'] === is['mode'] || !['off', 'read-only', 'full'].includes(String(is['mode']))
          ? null
          : { key: `MAINTENANCE.SET_${catalogueKey(String(is['mode']))}` };
      case 'report.status':
        return {
          values: {
            before: words.value('status', was['status']),
            after: words.value('status', is['status']),
          },
        };
      default:
        return null;
    }
  }

  return { actor, subject, sentence, way };
}

function switched(area: string, enabled: unknown): { key: string } | null {
  return typeof enabled === 'boolean' ? { key: `${area}.SWITCH_${enabled ? 'ON' : 'OFF'}` } : null;
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** The name of a thing, where it was recorded. */
function nameIn(value: unknown): string | null {
  if (!isObject(value)) return null;
  const parts = [value['firstName'], value['lastName']].filter((part) => typeof part === 'string');
  // An erased person's first and last name are the same placeholder.
  const full = (parts[0] !== undefined && erasedCode(parts[0]) !== null ? parts.slice(0, 1) : parts).join(
    ' ',
  );
  const names = [
    full.trim(),
    value['title'],
    value['name'],
    value['label'],
    value['description'],
    value['url'],
    value['email'],
  ];
  return names.find((name): name is string => typeof name === 'string' && name !== '') ?? null;
}
