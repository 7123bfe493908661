import { useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Avatar } from '../features/profile/avatar.tsx';
import { useCurrentUser, useSessionHandle, useSignInPlace } from '../platform/contexts.tsx';
import type { Texts } from '../platform/i18n/i18n.ts';
import { asLanguage, type Language, languages } from '../platform/i18n/language.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import { notify } from '../ui/notifications/notifications.ts';
import { useHouse } from './house.tsx';
import { lateScreen } from './late-screen.tsx';
import { chooseTheme, savedTheme, type Theme, themes } from './theme.ts';

const ChangePasswordDialog = lateScreen(
  async () => (await import('../features/own-password/change-password-dialog.tsx')).ChangePasswordDialog,
  'own-password',
);

const themeIcons: Record<Theme, IconName> = { system: 'monitor', light: 'sun', dark: 'moon' };

/** The person: profile, language, appearance, password, sign-out. */
export function PersonMenu({ texts }: { texts: Texts }) {
  const { t, i18n } = useTranslation();
  const user = useCurrentUser();
  const { languageChoice } = useHouse();
  const navigate = useNavigate();
  const { signOut } = useSessionHandle();
  const { outsideProvider } = useSignInPlace();
  const [theme, setTheme] = useState(savedTheme);
  const [changingPassword, setChangingPassword] = useState(false);
  const name = user === null ? '' : `${user.firstName} ${user.lastName}`.trim();
  const shown = name === '' ? (user?.email ?? '') : name;
  const current = asLanguage(i18n.language);

  async function show(language: Language): Promise<void> {
    try {
      await texts.show(language);
      languageChoice.choose(language);
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
        button={shown === '' ? <Icon name="person" /> : <Avatar fileId={user?.avatar ?? null} name={shown} />}
        head={
          shown === '' ? undefined : (
            <>
              <div className="shell-person-name">{shown}</div>
              {name === '' ? null : <div className="shell-person-email">{user?.email}</div>}
            </>
          )
        }
        items={[
          { label: t('PROFILE.TITLE'), icon: 'person', onSelect: () => void navigate({ to: '/profile' }) },
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
          // Whoever signs in at another provider has no password here.
          ...(outsideProvider === null
            ? [
                {
                  label: t('SHELL.ACCOUNT.PASSWORD'),
                  icon: 'key' as const,
                  onSelect: () => setChangingPassword(true),
                },
              ]
            : []),
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
