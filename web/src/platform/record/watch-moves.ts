type MovingWindow = Pick<Window, 'addEventListener' | 'removeEventListener' | 'history' | 'location'> & {
  readonly navigation?: EventTarget;
};

/**
 * Reports the path of the page whenever it becomes another: by the Navigation API, else by the history.
 *
 * @returns ends it, and restores the history; where another script has wrapped that since, it only no longer
 * reports
 */
export function watchMoves(window: MovingWindow, onPath: (path: string) => void): () => void {
  const { navigation, history } = window;
  let isWatching = true;
  let known = window.location.pathname;

  function look(): void {
    const { pathname } = window.location;
    if (!isWatching || pathname === known) return;
    known = pathname;
    onPath(pathname);
  }

  if (navigation !== undefined) {
    navigation.addEventListener('currententrychange', look);
    return () => {
      isWatching = false;
      navigation.removeEventListener('currententrychange', look);
    };
  }

  const restores = (['pushState', 'replaceState'] as const).map((method) => {
    const original = history[method];
    function wrapped(this: History, ...values: Parameters<History['pushState']>): void {
      original.apply(this, values);
      look();
    }
    history[method] = wrapped;
    return () => {
      if (history[method] === wrapped) history[method] = original;
    };
  });
  window.addEventListener('popstate', look);
  return () => {
    isWatching = false;
    window.removeEventListener('popstate', look);
    for (const restore of restores) restore();
  };
}
