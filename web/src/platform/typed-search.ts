import { useEffect, useEffectEvent, useState } from 'react';

/** Milliseconds without a key before a search is made. */
const pause = 250;

/**
 * What somebody types into the search, at once, and given on once they pause. A value that comes from elsewhere, such as
 * "back", takes the place of what was typed.
 */
export function useTypedSearch(
  value: string,
  give: (text: string) => void,
): [typed: string, type: (text: string) => void] {
  const [typed, setTyped] = useState(value);
  const [given, setGiven] = useState(value);
  const [seen, setSeen] = useState(value);
  if (value !== seen) {
    setSeen(value);
    if (value !== given) {
      setGiven(value);
      setTyped(value);
    }
  }
  const search = useEffectEvent(() => {
    setGiven(typed);
    give(typed);
  });
  useEffect(() => {
    if (typed === given) return undefined;
    const timer = setTimeout(() => search(), pause);
    return () => clearTimeout(timer);
  }, [typed, given]);
  return [typed, setTyped];
}
