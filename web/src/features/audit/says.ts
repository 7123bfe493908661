import { auditActions, type AuditEntry } from '@portico/contract/audit';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '../../platform/i18n/catalogue-key.ts';
import { useFormats } from '../../platform/i18n/formats-context.tsx';
import { isObject } from './difference.ts';
import { useValueWords } from './value-words.ts';

/** The key of an action's words, below `AUDIT.SAYS`: `person.set-roles` is `PERSON.SET_ROLES`. */
export function actionKey(action: string): string {
  return catalogueKey(action);
}

/** Tells entries in words. */
export function useSays() {
  const { t } = useTranslation();
  const formats = useFormats();
  const words = useValueWords();

  function actor({ through, actor: { name, nameNow } }: Pick<AuditEntry, 'through' | 'actor'>): string {
    switch (through) {
      case 'person':
        return nameNow ?? name;
      case 'token':
        return t('AUDIT.ACTORS.TOKEN', { name });
      case 'command-line':
        return t('AUDIT.ACTORS.COMMAND_LINE', { name });
      case 'start':
        return t('AUDIT.ACTORS.START');
    }
  }

  /** What it is called now, what it was called then, or at last its id. */
  function subject({ subject: { kind, id, nameNow }, before, after }: AuditEntry): string {
    if (nameNow !== null) return nameNow;
    const then = nameIn(after) ?? nameIn(before);
    if (then !== null) return then;
    return kind === 'person' ? t('AUDIT.SUBJECTS.GONE_PERSON') : id;
  }

  function list(name: string, values: readonly string[]): string {
    return formats.list(values.map((value) => words.value(name, value)));
  }

  function sentence(entry: AuditEntry): string {
    const parts = { actor: actor(entry), subject: subject(entry) };
    if (!Object.hasOwn(auditActions, entry.action))
      return t('AUDIT.SAYS.OTHER', { ...parts, action: entry.action });
    const closer = entry.cut ? null : closerWords(entry);
    return t(`AUDIT.SAYS.${closer?.key ?? actionKey(entry.action)}`, {
      ...parts,
      right: '',
      before: '',
      after: '',
      ...closer?.values,
    });
  }

  /** What an action was in this case, where that can be said in a sentence. */
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

  return { actor, subject, sentence };
}

function switched(area: string, enabled: unknown): { key: string } | null {
  return typeof enabled === 'boolean' ? { key: `${area}.SWITCH_${enabled ? 'ON' : 'OFF'}` } : null;
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** What something was called, as far as what was recorded of it says so. */
function nameIn(value: unknown): string | null {
  if (!isObject(value)) return null;
  const full = [value['firstName'], value['lastName']].filter((part) => typeof part === 'string').join(' ');
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
