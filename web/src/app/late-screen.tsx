import { type ComponentType, use } from 'react';

/** A screen's script could not be had: no connection, or another release has replaced it. */
export class LateScreenError extends Error {
  override readonly name = 'LateScreenError';
}

/** A component that is downloaded when it is first needed. `preload` rejects with a LateScreenError, and can be tried again. */
export function lateScreen(
  load: () => Promise<ComponentType>,
): ComponentType & { preload: () => Promise<void> } {
  let loading: Promise<ComponentType> | undefined;
  let Loaded: ComponentType | undefined;

  function begin(): Promise<ComponentType> {
    loading ??= load().then(
      (screen) => (Loaded = screen),
      (error: unknown) => {
        loading = undefined;
        throw new LateScreenError('The screen could not be loaded.', { cause: error });
      },
    );
    return loading;
  }

  function Late() {
    const Screen = Loaded ?? use(begin());
    return <Screen />;
  }
  return Object.assign(Late, { preload: async () => void (await begin()) });
}
