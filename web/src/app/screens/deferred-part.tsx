import { type ComponentType, useEffect, useRef, useState } from 'react';

/** How long after a failed download it is tried again: at first, and at most, since each try doubles it. */
const firstRetryMs = 5_000;
const longestRetryMs = 300_000;

type DeferredPartProps<Props> = {
  wanted: boolean;
  /** The same function each time. */
  load: () => Promise<ComponentType<Props>>;
  given: Props;
};

/** A part of the page that is downloaded once it is wanted. Until it can be had the page goes on without it. */
export function DeferredPart<Props extends object>({ wanted, load, given }: DeferredPartProps<Props>) {
  const [Part, setPart] = useState<ComponentType<Props> | null>(null);
  const [tries, setTries] = useState(0);
  const isThere = useRef(false);
  useEffect(() => {
    if (!wanted || isThere.current) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isLeft = false;
    load().then(
      (loaded) => {
        isThere.current = true;
        setPart(() => loaded);
      },
      () => {
        if (!isLeft)
          timer = setTimeout(() => setTries(tries + 1), Math.min(firstRetryMs * 2 ** tries, longestRetryMs));
      },
    );
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [wanted, load, tries]);
  return Part === null ? null : <Part {...given} />;
}
