/** Milliseconds to wait at most until a screen is as long as it was before. */
const longestMs = 5_000;

/**
 * Scrolls to `top` again and again until the person acts: the router starts at the top, and lists load and grow
 * after that. Returns a function that stops the scrolling.
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
