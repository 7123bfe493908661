import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCurrentUser, useSession, useSessionHandle } from '../platform/contexts.tsx';
import type { Texts } from '../platform/i18n/i18n.ts';
import { asLanguage, type Language, languages, saveLanguage } from '../platform/i18n/language.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import { notify } from '../ui/notifications/notifications.ts';
import { lateScreen } from './late-screen.tsx';
import { chooseTheme, savedTheme, type Theme, themes } from './theme.ts';

const ChangePasswordDialog = lateScreen(
  async () => (await import('../features/own-password/change-password-dialog.tsx')).ChangePasswordDialog,
  'own-password',
);

const themeIcons: Record<Theme, IconName> = { system: 'monitor', light: 'sun', dark: 'moon' };

/** The person: language, appearance, password, sign-out. */
export function PersonMenu({ texts }: { texts: Texts }) {
  const { t, i18n } = useTranslation();
  const user = useCurrentUser();
  const session = useSession();
  const { signOut } = useSessionHandle();
  const [theme, setTheme] = useState(savedTheme);
  const [changingPassword, setChangingPassword] = useState(false);
  const name = user === null ? '' : `${user.firstName} ${user.lastName}`.trim();
  const shown = name === '' ? (user?.email ?? '') : name;
  const current = asLanguage(i18n.language);

  async function show(language: Language): Promise<void> {
    try {
      await texts.show(language);
      saveLanguage(language, session.status === 'signed-in' ? session.personId : null);
    } catch {
      notify({
        kind: 'error',
        key: 'language',
        title: t('SHELL.LANGUAGE_FAILED.TITLE'),
        content: t('SHELL.LANGUAGE_FAILED.CONTENT'),
      });
    }
  }

  return (
    <>
      <Menu
        label={shown === '' ? t('SHELL.ACCOUNT.UNNAMED') : t('SHELL.ACCOUNT.LABEL', { name: shown })}
        buttonClassName="shell-person"
        button={
          shown === '' ? (
            <Icon name="person" />
          ) : (
            <span className="shell-initials" data-text={initials(shown)} />
          )
        }
        head={
          shown === '' ? undefined : (
            <>
              <div className="shell-person-name">{shown}</div>
              {name === '' ? null : <div className="shell-person-email">{user?.email}</div>}
            </>
          )
        }
        items={[
          {
            label: t('SHELL.ACCOUNT.LANGUAGE'),
            options: languages.map(({ language, label }) => ({
              label,
              lang: language,
              checked: language === current,
              onSelect: () => void show(language),
            })),
          },
          {
            label: t('SHELL.ACCOUNT.THEME'),
            options: themes.map((one) => ({
              label: t(`SHELL.ACCOUNT.THEMES.${one.toUpperCase()}`),
              icon: themeIcons[one],
              checked: one === theme,
              onSelect: () => {
                chooseTheme(one);
                setTheme(one);
              },
            })),
          },
          { label: t('SHELL.ACCOUNT.PASSWORD'), icon: 'key', onSelect: () => setChangingPassword(true) },
          { label: t('SHELL.ACCOUNT.SIGN_OUT'), icon: 'sign-out', onSelect: () => void signOut() },
        ]}
      />
      {changingPassword ? (
        <Suspense>
          <ChangePasswordDialog onClose={() => setChangingPassword(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

/** The first letters of the first and the last word; of an e-mail address, what stands before the @. */
function initials(name: string): string {
  const [own = ''] = name.split('@');
  const words = own.split(/[\s._-]+/).filter((word) => word !== '');
  const letters = words.length < 2 ? [words[0]] : [words[0], words.at(-1)];
  return letters
    .map((word = '') => String.fromCodePoint(word.codePointAt(0) ?? 32).toLocaleUpperCase())
    .join('');
}
