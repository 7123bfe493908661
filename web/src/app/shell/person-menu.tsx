import { useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ToLose } from '#features/session/web/sign-out/signing-out.ts';
import { Avatar } from '#features/profile/web/avatar.tsx';
import { useCurrentUser, useSignInPlace } from '../../platform/contexts.tsx';
import type { Texts } from '../../platform/i18n/i18n.ts';
import { asLanguage, languages } from '../../platform/i18n/language.ts';
import { useStore } from '../../platform/state/use-store.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { useApp } from '../app-context.tsx';
import { lazyScreen } from '../screens/lazy-screen.tsx';
import { askedBeforeSignOut, ChangePasswordDialog, SignOutDialog } from './account-dialogs.tsx';
import { chooseTheme, type Theme, theme as chosenTheme, themes } from './theme.ts';
import { useShowLanguage } from './use-show-language.ts';

const RetainedDraftsDialog = lazyScreen(
  async () =>
    (await import('#features/session/web/sign-out/retained-drafts-dialog.tsx')).RetainedDraftsDialog,
  'KEPT_DRAFTS',
);

const themeIcons: Record<Theme, IconName> = { system: 'monitor', light: 'sun', dark: 'moon' };

/** The person: profile, language, appearance, password, sign-out. */
export function PersonMenu({ texts }: { texts: Texts }) {
  const { t, i18n } = useTranslation();
  const user = useCurrentUser();
  const { signingOut } = useApp();
  const retained = useStore(signingOut.retained);
  const navigate = useNavigate();
  const { outsideProvider } = useSignInPlace();
  const theme = useStore(chosenTheme);
  const [changingPassword, setChangingPassword] = useState(false);
  const [toLose, setToLose] = useState<ToLose | null>(null);
  const [showingDrafts, setShowingDrafts] = useState(false);
  const name = user === null ? '' : `${user.firstName} ${user.lastName}`.trim();
  const shown = name === '' ? (user?.email ?? '') : name;
  const current = asLanguage(i18n.language);

  const show = useShowLanguage();

  /** Asks once where something would be lost. */
  async function signOut(): Promise<void> {
    const lost = await askedBeforeSignOut(signingOut, texts);
    if (lost === null) await signingOut.discard();
    else setToLose(lost);
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
              onSelect: () => chooseTheme(one),
            })),
          },
          ...(retained === null
            ? []
            : [
                {
                  label: t('SHELL.ACCOUNT.KEPT_DRAFTS', { count: retained.count }),
                  icon: 'edit' as const,
                  onSelect: () => setShowingDrafts(true),
                },
              ]),
          // People who sign in at another provider have no password here.
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
      {toLose === null ? null : (
        <Suspense>
          <SignOutDialog lost={toLose} signingOut={signingOut} onClose={() => setToLose(null)} />
        </Suspense>
      )}
      {showingDrafts ? (
        <Suspense>
          <RetainedDraftsDialog signingOut={signingOut} onClose={() => setShowingDrafts(false)} />
        </Suspense>
      ) : null}
      {changingPassword ? (
        <Suspense>
          <ChangePasswordDialog onClose={() => setChangingPassword(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
