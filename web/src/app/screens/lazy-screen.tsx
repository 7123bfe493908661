import { type ComponentType, use } from 'react';
import type { Texts } from '../../platform/i18n/i18n.ts';
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

/**
 * A screen or a dialog that is downloaded when it is first needed, with the texts that only it uses. It
 * suspends until both are there. `preload` rejects with a LazyScreenError, and can be tried again.
 */
export function lazyScreen<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  parts: string | readonly string[] = [],
): ComponentType<Props> & { preload: (texts: AddTexts) => Promise<void> } {
  let loading: Promise<ComponentType<Props>> | undefined;
  let Loaded: ComponentType<Props> | undefined;

  function begin(texts: AddTexts): Promise<ComponentType<Props>> {
    loading ??= Promise.all([load(), loadStyles(), ...[parts].flat().map((part) => texts.add(part))]).then(
      ([screen]) => (Loaded = screen),
      (error: unknown) => {
        loading = undefined;
        mayLackStyles = true;
        throw new LazyScreenError(error, () => begin(texts));
      },
    );
    return loading;
  }

  function Lazy(props: Props) {
    const { texts } = useApp();
    const Screen = Loaded ?? use(begin(texts));
    return <Screen {...props} />;
  }
  return Object.assign(Lazy, { preload: async (texts: AddTexts) => void (await begin(texts)) });
}
