import { useEffect, useState } from 'react';

/**
 * The token of a single-use link, from the fragment of the address; null where there is none. It leaves the
 * address bar at once and is held in this page's memory alone: neither the history nor a picture of the
 * screen shows it. Another link that is pasted into the same tab loads no new page and is read as well.
 */
export function useLinkToken(): string | null {
  const [token, setToken] = useState(takeToken);

  useEffect(() => {
    const take = () => setToken((known) => takeToken() ?? known);
    window.addEventListener('hashchange', take);
    return () => window.removeEventListener('hashchange', take);
  }, []);

  return token;
}

function takeToken(): string | null {
  const { hash, pathname, search } = window.location;
  if (hash.length < 2) return null;
  window.history.replaceState(window.history.state, '', pathname + search);
  return hash.slice(1);
}
