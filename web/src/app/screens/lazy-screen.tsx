import { type ComponentType, createElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Texts } from '../../platform/i18n/i18n.ts';
import { dismiss, notify } from '../../ui/notifications/notifications.ts';
import { useApp } from '../app-context.tsx';

/** A screen's script or texts could not be loaded: no connection, or another release has replaced them. */
export class LazyScreenError extends Error {
  override readonly name = 'LazyScreenError';
  /** Tries again; resolves once everything is there. */
  readonly retry: () => Promise<unknown>;

  constructor(cause: unknown, retry: () => Promise<unknown>) {
    super('The screen could not be loaded.', { cause });
    this.retry = retry;
  }
}

let mayLackStyles = false;
const askedAgain = new WeakSet<Element>();

/** Requests failed style sheets again: the build requests each one only once, even if several screens share it. */
async function loadStyles(): Promise<void> {
  if (!mayLackStyles) return;
  const links = document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]');
  const failed = [...links].filter((link) => link.sheet === null && !askedAgain.has(link));
  await Promise.all(
    failed.map(async (link) => {
      const again = link.cloneNode() as HTMLLinkElement;
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      again.addEventListener('load', resolve);
      again.addEventListener('error', reject);
      askedAgain.add(link).add(again);
      link.after(again);
      await promise.catch((error: unknown) => {
        again.remove();
        askedAgain.delete(link);
        throw error;
      });
    }),
  );
  mayLackStyles = false;
}

type AddTexts = Pick<Texts, 'add'>;

/** What is downloaded before it is used. Rejects with a LazyScreenError, and can be tried again. */
export type LazyDialog = { preload: (texts: AddTexts) => Promise<void> };

/**
 * A screen or a dialog that is downloaded when it is first needed, with the texts that only it uses. It is empty until
 * `preload` has resolved: the router preloads screens, and `useOpenDialog` dialogs.
 */
export function lazyScreen<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  parts: string | readonly string[] = [],
): ComponentType<Props> & LazyDialog {
  let loading: Promise<void> | undefined;
  let Loaded: ComponentType<Props> | undefined;

  function preload(texts: AddTexts): Promise<void> {
    loading ??= Promise.all([load(), loadStyles(), ...[parts].flat().map((part) => texts.add(part))]).then(
      ([screen]) => void (Loaded = screen),
      (error: unknown) => {
        loading = undefined;
        mayLackStyles = true;
        throw new LazyScreenError(error, () => preload(texts));
      },
    );
    return loading;
  }

  const Lazy = (props: Props) => (Loaded === undefined ? null : createElement(Loaded, props));
  return Object.assign(Lazy, { preload });
}

/**
 * Returns a function that downloads a dialog and then calls `open`; it resolves to whether that succeeded. If the
 * download fails, a notification offers to try again.
 */
export function useOpenDialog() {
  const { t } = useTranslation();
  const { texts } = useApp();
  return async function openDialog(dialog: LazyDialog, open: () => void): Promise<boolean> {
    try {
      await dialog.preload(texts);
    } catch {
      const key = notify({
        kind: 'error',
        key: 'dialog-not-loaded',
        duration: 0,
        title: t('COMMON.FAILED.TITLE'),
        content: t('PAGES.OUTDATED.CONTENT'),
        actions: [
          {
            label: t('COMMON.RETRY'),
            act() {
              dismiss(key);
              void openDialog(dialog, open);
            },
          },
        ],
      });
      return false;
    }
    dismiss('dialog-not-loaded');
    open();
    return true;
  };
}
