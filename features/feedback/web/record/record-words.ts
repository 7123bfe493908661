import type { TFunction } from 'i18next';
import type { Breadcrumb, FailedCall, ReportedError } from '#features/feedback/contract/feedback.ts';
import type { Formats } from '#web/platform/i18n/formats.ts';

export type RecordWords = ReturnType<typeof recordWords>;

const whatKeys: Readonly<Record<string, string>> = {
  'profile.load': 'RECORD.WHAT.PROFILE_LOAD',
  'profile.update': 'RECORD.WHAT.PROFILE_UPDATE',
  'permissions.load': 'RECORD.WHAT.PERMISSIONS_LOAD',
  'flags.load': 'RECORD.WHAT.FLAGS_LOAD',
  'session.renew': 'RECORD.WHAT.SESSION_RENEW',
  'session.sign-out': 'RECORD.WHAT.SESSION_SIGN_OUT',
  'session.map-cookie': 'RECORD.WHAT.MAP_COOKIE',
  'session.map-cookie-removal': 'RECORD.WHAT.MAP_COOKIE',
  'session.develop-map-cookie': 'RECORD.WHAT.MAP_COOKIE',
  'files.upload': 'RECORD.WHAT.FILES_UPLOAD',
  'files.remove': 'RECORD.WHAT.FILES_REMOVE',
  'files.load': 'RECORD.WHAT.FILES_LOAD',
  'texts.load': 'RECORD.WHAT.TEXTS_LOAD',
  'screen.load': 'RECORD.WHAT.SCREEN_LOAD',
  screen: 'RECORD.WHAT.SCREEN',
  application: 'RECORD.WHAT.APPLICATION',
  'events.stream': 'RECORD.WHAT.EVENTS_STREAM',
  'maintenance.status': 'RECORD.WHAT.MAINTENANCE_STATUS',
  'feedback.save': 'RECORD.WHAT.FEEDBACK_SEND',
  'feedback.send': 'RECORD.WHAT.FEEDBACK_SEND',
  'feedback.draft': 'RECORD.WHAT.FEEDBACK_DRAFT',
  'feedback.form': 'RECORD.WHAT.FEEDBACK_FORM',
  'feedback.load': 'RECORD.WHAT.FEEDBACK_LOAD',
  'page.error': 'RECORD.WHAT.PAGE',
  'page.rejection': 'RECORD.WHAT.PAGE',
};

const roleKeys: Readonly<Record<string, string>> = {
  button: 'RECORD.ROLE.BUTTON',
  checkbox: 'RECORD.ROLE.CHECKBOX',
  combobox: 'RECORD.ROLE.COMBOBOX',
  file: 'RECORD.ROLE.FILE',
  link: 'RECORD.ROLE.LINK',
  menuitem: 'RECORD.ROLE.MENU_ITEM',
  option: 'RECORD.ROLE.OPTION',
  radio: 'RECORD.ROLE.RADIO',
  row: 'RECORD.ROLE.ROW',
  searchbox: 'RECORD.ROLE.FIELD',
  switch: 'RECORD.ROLE.SWITCH',
  tab: 'RECORD.ROLE.TAB',
  textbox: 'RECORD.ROLE.FIELD',
};

/** The recorded errors and calls of a page, in words. */
export function recordWords(t: TFunction, formats: Formats) {
  const { locale, timeZone } = formats;
  const clock = new Intl.DateTimeFormat(locale, { timeZone, timeStyle: 'medium' });

  function titleOf(what: string): string {
    const key = Object.hasOwn(whatKeys, what) ? whatKeys[what] : undefined;
    if (key !== undefined) return t(key);
    return what.startsWith('events.') ? t('RECORD.WHAT.EVENTS') : what;
  }

  function outcomeOf({ status, code }: Pick<FailedCall, 'status' | 'code'>): string {
    if (status === undefined) return code ?? '';
    if (status === 0) return t('RECORD.NO_ANSWER');
    return code === undefined ? String(status) : `${status} ${code}`;
  }

  const joined = (...parts: readonly (string | undefined)[]) =>
    parts.filter((part) => part !== undefined && part !== '').join(' · ');
  const requestOf = (id: string | undefined) => (id === undefined ? '' : t('RECORD.REQUEST', { id }));

  function factsOf({ id, screen, kind, script, ...answer }: ReportedError): string {
    return joined(
      screen === undefined ? '' : t('RECORD.SCREEN', { screen }),
      outcomeOf(answer),
      requestOf(answer.requestId),
      answer.status === undefined ? kind : '',
      script,
      t('RECORD.EVENT', { id }),
    );
  }

  function crumbOf(crumb: Breadcrumb): { title: string; details: string } {
    const repeated = crumb.count === undefined ? '' : t('RECORD.REPEATED', { count: crumb.count });
    switch (crumb.kind) {
      case 'navigation':
        return { title: t('RECORD.STEP.NAVIGATION', { path: crumb.path }), details: repeated };
      case 'click': {
        const key = Object.hasOwn(roleKeys, crumb.role) ? roleKeys[crumb.role] : undefined;
        const role = key === undefined ? crumb.role : t(key);
        const { name } = crumb;
        const title =
          name === '' ? t('RECORD.STEP.CLICK', { role }) : t('RECORD.STEP.CLICK_NAMED', { role, name });
        return { title, details: repeated };
      }
      case 'call':
        return {
          title: t('RECORD.STEP.CALL', { call: crumb.call }),
          details: joined(outcomeOf(crumb), requestOf(crumb.requestId), repeated),
        };
      case 'console': {
        const level = crumb.level === 'error' ? 'RECORD.STEP.CONSOLE_ERROR' : 'RECORD.STEP.CONSOLE_WARNING';
        return { title: crumb.text, details: joined(t(level), repeated) };
      }
    }
  }

  return {
    /** A step as a title with details; without its time. */
    crumb: crumbOf,
    /** `22:00:05` */
    clock: (at: number) => clock.format(at),
    /** The date and the time, unambiguous. */
    exact: formats.exact,
    /** An error as a title, with details: when, where, and what the server answered. */
    error: (error: ReportedError) => ({
      title: titleOf(error.what),
      details: joined(formats.dateTime(error.at), factsOf(error)),
    }),
    /** An error without its time, with the call that it came from. */
    failure: (error: ReportedError, call: Pick<FailedCall, 'call'> | undefined) => ({
      title: titleOf(error.what),
      details: joined(call?.call, factsOf(error)),
    }),
    /** The number of entries of a list, in words. */
    counted: (list: 'steps' | 'errors' | 'flags' | 'rights', count: number) =>
      t(`RECORD.${list.toUpperCase()}`, { count }),
  };
}
