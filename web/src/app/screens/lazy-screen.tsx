import { type ComponentType, use } from 'react';
import type { Texts } from '../../platform/i18n/i18n.ts';
import { useApp } from '../app-context.tsx';

/** A screen's script or texts could not be loaded: no connection, or another release has replaced them. */
export class LazyScreenError extends Error {
  override readonly name = 'LazyScreenError';
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
    loading ??= Promise.all([load(), ...[parts].flat().map((part) => texts.add(part))]).then(
      ([screen]) => (Loaded = screen),
      (error: unknown) => {
        loading = undefined;
        throw new LazyScreenError('The screen could not be loaded.', { cause: error });
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
