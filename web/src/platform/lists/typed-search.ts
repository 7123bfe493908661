import { useEffect, useEffectEvent, useState } from 'react';

/** Milliseconds without a key before a search is made. */
const pause = 250;

/**
 * The text of a search field. It changes at once, and is passed on after a pause in typing. A `value` that changes
 * for another reason, such as "back", replaces the text.
 */
export function useTypedSearch(
  value: string,
  give: (text: string) => void,
): [typed: string, type: (text: string) => void] {
  const [typed, setTyped] = useState(value);
  // The texts passed on, the latest last. The address may lag by several: such a value is no change from elsewhere.
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
