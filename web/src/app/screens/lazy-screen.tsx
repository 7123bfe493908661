import { type ComponentType, createElement, use } from 'react';
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

/** Downloads a component and the texts that only it uses, once; after a failure, again with the next call. */
function createLoader<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  parts: string | readonly string[],
) {
  let failed = false;
  const loader = {
    loaded: undefined as ComponentType<Props> | undefined,
    /** The download, also a failed one; undefined before the first. */
    loading: undefined as Promise<ComponentType<Props>> | undefined,
    begin(texts: AddTexts): Promise<ComponentType<Props>> {
      if (loader.loading !== undefined && !failed) return loader.loading;
      failed = false;
      loader.loading = Promise.all([
        load(),
        loadStyles(),
        ...[parts].flat().map((part) => texts.add(part)),
      ]).then(
        ([loaded]) => (loader.loaded = loaded),
        (error: unknown) => {
          failed = true;
          mayLackStyles = true;
          throw new LazyScreenError(error, () => loader.begin(texts));
        },
      );
      return loader.loading;
    },
    preload: async (texts: AddTexts) => void (await loader.begin(texts)),
  };
  return loader;
}

/**
 * A screen that is downloaded when it is first needed, with the texts that only it uses. It suspends until both are
 * there, and throws a LazyScreenError if they cannot be loaded.
 */
export function lazyScreen<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  parts: string | readonly string[] = [],
) {
  const loader = createLoader(load, parts);
  function Lazy(props: Props) {
    const { texts } = useApp();
    // A failed download is not begun again here: rendering would request it without end.
    return createElement(loader.loaded ?? use(loader.loading ?? loader.begin(texts)), props);
  }
  return Object.assign(Lazy, { preload: loader.preload });
}

/** A dialog that is downloaded with its texts before it is first opened (`useOpenDialog`). It is empty until then. */
export function lazyDialog<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  parts: string | readonly string[] = [],
) {
  const loader = createLoader(load, parts);
  return Object.assign(
    (props: Props) => (loader.loaded === undefined ? null : createElement(loader.loaded, props)),
    { preload: loader.preload },
  );
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
    open();
    return true;
  };
}
