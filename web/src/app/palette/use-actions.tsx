import { useTranslation } from 'react-i18next';
import { paletteActions } from '../../late.ts';
import { useCan, useSignInPlace } from '../../platform/contexts.tsx';
import { asLanguage, languages } from '../../platform/i18n/language.ts';
import { keysAsked } from '../../platform/keys/screen-keys.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { useApp } from '../app-context.tsx';
import { showReportFailure } from '../report-bug/show-report-failure.ts';
import { askedBeforeSignOut, ChangePasswordDialog, SignOutDialog } from '../shell/account-dialogs.tsx';
import { chooseTheme, theme as chosenTheme, themes } from '../shell/theme.ts';
import { useShowLanguage } from '../shell/use-show-language.ts';
import type { FollowingDialog, PaletteItem } from './palette-item.ts';

/** What the person may do from everywhere. */
export function useActions(): PaletteItem[] {
  const { t } = useTranslation();
  const can = useCan();
  const group = t('PALETTE.ACTIONS');
  const own = useOwnActions(group);
  return [
    ...paletteActions
      .filter(({ right }) => can(right))
      .map(({ name, icon, to, search }) => ({
        key: `do ${name}`,
        group,
        label: t(`PALETTE.DO.${name}`),
        mark: <Icon name={icon} />,
        to,
        search,
      })),
    ...own,
  ];
}

function useOwnActions(group: string): PaletteItem[] {
  const { t, i18n } = useTranslation();
  const { reportBug, texts, signingOut } = useApp();
  const { outsideProvider } = useSignInPlace();
  const current = asLanguage(i18n.language);

  const show = useShowLanguage();

  async function openReport(): Promise<void> {
    try {
      await (await reportBug.start()).open();
    } catch {
      showReportFailure(t);
    }
  }

  /** Asks where something would be lost, as the menu of the account does. */
  async function signOut(): Promise<void | FollowingDialog> {
    const lost = await askedBeforeSignOut(signingOut, texts);
    if (lost === null) return signingOut.discard();
    return (close) => <SignOutDialog lost={lost} signingOut={signingOut} onClose={close} />;
  }

  const line = (key: string, icon: IconName, label: string) => ({
    key,
    group,
    label,
    mark: <Icon name={icon} />,
  });
  return [
    { ...line('report-bug', 'bug', t('SHELL.REPORT_BUG.TRIGGER')), act: openReport },
    { ...line('keys', 'list', t('PALETTE.KEYS.TITLE')), act: () => keysAsked.publish() },
    ...themes
      .filter((theme) => theme !== chosenTheme.get())
      .map((theme) => ({
        ...line(
          `theme ${theme}`,
          theme === 'dark' ? 'moon' : theme === 'light' ? 'sun' : 'monitor',
          `${t('SHELL.ACCOUNT.THEME')}: ${t(`SHELL.ACCOUNT.THEMES.${theme.toUpperCase()}`)}`,
        ),
        act: () => chooseTheme(theme),
      })),
    ...languages
      .filter(({ language }) => language !== current)
      .map(({ language, label }) => ({
        ...line(`language ${language}`, 'language', label),
        lang: language,
        hint: t('SHELL.ACCOUNT.LANGUAGE'),
        words: t('SHELL.ACCOUNT.LANGUAGE'),
        act: () => show(language),
      })),
    ...(outsideProvider === null
      ? [
          {
            ...line('password', 'key', t('SHELL.ACCOUNT.PASSWORD')),
            act: (): FollowingDialog => (close) => <ChangePasswordDialog onClose={close} />,
          },
        ]
      : []),
    { ...line('sign-out', 'sign-out', t('SHELL.ACCOUNT.SIGN_OUT')), act: signOut },
  ];
}
