import { useEffect, useEffectEvent, useState } from 'react';

/** Milliseconds without a key before a search is made. */
const pause = 250;

/**
 * What a person types into the search, at once, and passed on once they pause. A value that comes from elsewhere, such as
 * "back", takes the place of what was typed.
 */
export function useTypedSearch(
  value: string,
  give: (text: string) => void,
): [typed: string, type: (text: string) => void] {
  const [typed, setTyped] = useState(value);
  // The latest is last. The address may be behind by more than one, which then comes from here, not from elsewhere.
  const [given, setGiven] = useState<readonly string[]>([value]);
  const [seen, setSeen] = useState(value);
  if (value !== seen) {
    setSeen(value);
    const own = given.indexOf(value);
    setGiven(own === -1 ? [value] : given.slice(own));
    if (own === -1) setTyped(value);
  }
  const search = useEffectEvent(() => {
    setGiven([...given, typed]);
    give(typed);
  });
  useEffect(() => {
    if (typed === given.at(-1)) return undefined;
    const timer = setTimeout(() => search(), pause);
    return () => clearTimeout(timer);
  }, [typed, given]);
  return [typed, setTyped];
}
