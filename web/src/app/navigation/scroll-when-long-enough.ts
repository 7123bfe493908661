/** How long to wait for a screen to be as long again as it was. */
const longestMs = 5_000;

/**
 * Lists load and grow while the router starts at the top: scrolls again until the person acts. Returns how to
 * stop it.
 */
export function scrollWhenLongEnough(top: number): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  const scroll = () => {
    if (document.documentElement.scrollHeight - window.innerHeight >= top) window.scrollTo(0, top);
  };
  const stop = () => stopping.abort();
  const observer = new ResizeObserver(scroll);
  observer.observe(document.body);
  const timer = setTimeout(stop, longestMs);
  signal.addEventListener('abort', () => {
    observer.disconnect();
    clearTimeout(timer);
  });
  window.addEventListener('scroll', scroll, { passive: true, signal });
  for (const own of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
    window.addEventListener(own, stop, { passive: true, signal });
  return stop;
}
