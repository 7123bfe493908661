import { useLocation, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { paletteActions } from '../../late.ts';
import { base } from '../../platform/base.ts';
import { useCan, useSignInPlace } from '../../platform/contexts.tsx';
import { asLanguage, languages } from '../../platform/i18n/language.ts';
import { keysAsked, type KeySection } from '../../platform/keys/keys.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Key } from '../../ui/key.tsx';
import { OptionList } from '../../ui/option-list.tsx';
import { dismiss } from '../../ui/notifications/notifications.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { useApp } from '../app-context.tsx';
import { stringifySearch } from '../navigation/address-search.ts';
import { useOpenDialog } from '../screens/lazy-screen.tsx';
import { useOpenReport } from '#features/feedback/web/open-report.ts';
import { askedBeforeSignOut, ChangePasswordDialog, SignOutDialog } from '../shell/account-dialogs.tsx';
import { chooseTheme, theme as chosenTheme, themes, useShowLanguage } from '../shell/use-show-language.ts';
import { withQueries } from '../with-queries.tsx';
import { bestFirst, typedWords } from './match.ts';
import { type Found, useFound } from './use-found.tsx';
import { type FollowingDialog, type PaletteItem, useScreenItems } from './use-screens.tsx';
import './palette.css';

type PaletteProps = {
  /** The letters that were typed while the palette was being downloaded. */
  typed: string;
  /** The keys of those parts of the screen whose letter keys have something to act on now. */
  here: readonly KeySection[];
  onClose: () => void;
};

/** Opens a screen, a person, a flag, a report or a window, and does what the person may do. */
function OpenPalette({ typed, here, onClose }: PaletteProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const openDialog = useOpenDialog();
  const [following, setFollowing] = useState<ReactNode>(null);
  const isLoading = useRef(false);
  // Its button would act for a palette that is closed.
  useEffect(() => () => dismiss('dialog-not-loaded'), []);

  async function run(item: PaletteItem, apart: boolean): Promise<void> {
    if ('to' in item) {
      remember(item);
      const { to, search = {} } = item;
      if (apart) window.open(base + to + stringifySearch(search), '_blank', 'noopener');
      else void navigate({ to, search } as never);
      onClose();
      return;
    }
    if (item.needs === undefined) return act(item);
    if (isLoading.current) return;
    isLoading.current = true;
    await openDialog(item.needs, () => void act(item));
    isLoading.current = false;
  }

  async function act(item: Extract<PaletteItem, { act: unknown }>): Promise<void> {
    const done = item.act();
    // An action that needs no dialog starts when the palette no longer covers the page.
    if (typeof done !== 'function' && !(done instanceof Promise)) return onClose();
    setFollowing(<></>);
    const dialog = await done;
    if (typeof dialog === 'function') setFollowing(dialog(onClose));
    else onClose();
  }

  if (following !== null) return following;
  return (
    <Dialog kind="palette" title={t('SHELL.FIND')} onClose={onClose}>
      <List start={typed} sections={here} onPick={(item, apart) => void run(item, apart)} />
    </Dialog>
  );
}

export const Palette = withQueries(OpenPalette);

/** What was opened from the palette in this tab, the latest first. Not stored, since it holds names of people. */
let recent: readonly PaletteItem[] = [];

function remember(item: PaletteItem): void {
  const key = item.key.startsWith('recent ') ? item.key : `recent ${item.key}`;
  recent = [{ ...item, key }, ...recent.filter((other) => other.key !== key)].slice(0, 5);
}

type ListProps = {
  start: string;
  sections: readonly KeySection[];
  onPick: (item: PaletteItem, apart: boolean) => void;
};

function List({ start, sections, onPick }: ListProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(start);
  const words = typedWords(typed);
  const screens = bestFirst(useScreenItems(), words);
  const actions = bestFirst(useActions(), words);
  const ofScreen = actions.filter(({ group }) => group !== t('PALETTE.ACTIONS'));
  const found = useFound(typed);
  const here = bestFirst(screenActions(sections), words);
  const lately = words.length === 0 ? recent.map((item) => ({ ...item, group: t('PALETTE.RECENT') })) : [];
  const others = actions.filter((item) => !ofScreen.includes(item));
  const items = [...here, ...ofScreen, ...lately, ...screens, ...others, ...found.items];
  return (
    <>
      <OptionList
        label={t('PALETTE.RESULTS')}
        search={t('PALETTE.SEARCH')}
        typed={typed}
        onType={setTyped}
        options={items}
        empty={
          found.searching ? (
            <Spinner label={t('PALETTE.SEARCHING')} />
          ) : found.failed === null ? (
            t('PALETTE.NOTHING', { text: typed.trim() })
          ) : null
        }
        foot={<Failed failed={found.failed} />}
        onPick={(key, apart) => {
          const item = items.find((one) => one.key === key);
          if (item !== undefined) onPick(item, apart);
        }}
      />
      <p className="visually-hidden" role="status">
        {words.length === 0 || found.searching ? '' : t('PALETTE.COUNT', { count: items.length })}
      </p>
      <Hints searching={found.searching && items.length > 0} />
    </>
  );
}

function Failed({ failed }: Pick<Found, 'failed'>) {
  const { t } = useTranslation();
  if (failed === null) return null;
  return (
    <div className="palette-failed ruled row gap-3 between" role="alert">
      <span>{t('PALETTE.FAILED', { what: failed.what.join(', ') })}</span>
      <Button small icon="refresh" busy={failed.busy} onClick={failed.retry}>
        {t('COMMON.RETRY')}
      </Button>
    </div>
  );
}

function Hints({ searching }: { searching: boolean }) {
  const { t } = useTranslation();
  return (
    <div className="palette-hints flex wrap ruled muted small">
      <span>
        <Key name="↑" /> <Key name="↓" /> {t('PALETTE.HINTS.MOVE')}
      </span>
      <span>
        <Key name="↵" /> {t('PALETTE.HINTS.OPEN')}
      </span>
      <span>
        <Key name="Esc" /> {t('PALETTE.HINTS.CLOSE')}
      </span>
      {searching ? <Spinner label={t('PALETTE.SEARCHING')} /> : null}
    </div>
  );
}

/** The letter keys of the screen as actions; each presses its key once the palette is closed. */
function screenActions(sections: readonly KeySection[]): PaletteItem[] {
  return sections.flatMap(({ title, rows }) =>
    rows.flatMap(([[key = '', ...others], does]) =>
      !/^[a-z]$/.test(key) || others.length > 0 || typeof does !== 'string'
        ? []
        : {
            key: `key ${key}`,
            group: title,
            label: does,
            end: <Key name={key} />,
            act: () =>
              void setTimeout(() =>
                (document.activeElement ?? document.body).dispatchEvent(
                  new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
                ),
              ),
          },
    ),
  );
}

/** The actions that the person may start from every screen; those of the open screen are named after it. */
function useActions(): PaletteItem[] {
  const { t } = useTranslation();
  const can = useCan();
  const address = useLocation({ select: ({ pathname }) => pathname });
  const open = useApp().screens.find(({ path }) => path === address);
  const group = t('PALETTE.ACTIONS');
  const own = useOwnActions(group);
  return [
    ...paletteActions
      .filter(({ right }) => can(right))
      .map(({ name, icon, to, search }) => ({
        key: `do ${name}`,
        group: open !== undefined && to === address ? t(open.title) : group,
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
  const { texts, signingOut } = useApp();
  const openReport = useOpenReport();
  const { outsideProvider } = useSignInPlace();
  const current = asLanguage(i18n.language);

  const show = useShowLanguage();

  /** Signs out; asks first if something would be lost, as the menu of the account does. */
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
    { ...line('keys', 'list', t('SHELL.ACCOUNT.KEYS')), act: () => keysAsked.publish() },
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
            needs: ChangePasswordDialog,
            act: (): FollowingDialog => (close) => <ChangePasswordDialog onClose={close} />,
          },
        ]
      : []),
    { ...line('sign-out', 'sign-out', t('SHELL.ACCOUNT.SIGN_OUT')), act: signOut },
  ];
}
