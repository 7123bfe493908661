import { type ComponentType, useEffect, useRef, useState } from 'react';

/** Delay before a failed download is retried: first and longest; each retry doubles it. */
const firstRetryMs = 5_000;
const longestRetryMs = 300_000;

type DeferredPartProps<Props> = {
  wanted: boolean;
  /** Downloads the part. Must be the same function at each render. */
  load: () => Promise<ComponentType<Props>>;
  given: Props;
};

/** A part of the page that is downloaded once it is wanted. The page works without it until then. */
export function DeferredPart<Props extends object>({ wanted, load, given }: DeferredPartProps<Props>) {
  const [Part, setPart] = useState<ComponentType<Props> | null>(null);
  const [tries, setTries] = useState(0);
  const isThere = useRef(false);
  useEffect(() => {
    if (!wanted || isThere.current) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isLeft = false;
    const retry = () => setTries(tries + 1);
    load().then(
      (loaded) => {
        isThere.current = true;
        setPart(() => loaded);
      },
      () => {
        if (isLeft) return;
        timer = setTimeout(retry, Math.min(firstRetryMs * 2 ** tries, longestRetryMs));
        window.addEventListener('online', retry);
      },
    );
    return () => {
      isLeft = true;
      window.removeEventListener('online', retry);
      clearTimeout(timer);
    };
  }, [wanted, load, tries]);
  return Part === null ? null : <Part {...given} />;
}
