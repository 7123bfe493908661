import { type ComponentType, useEffect, useState } from 'react';
import type { Readable } from '../platform/state/store.ts';
import { useStore } from '../platform/state/use-store.ts';
import type { EmbedTexts, LoadTexts } from './texts.tsx';

type LatePartProps<P extends object> = {
  texts: EmbedTexts;
  wanted: Readable<boolean>;
  /** Always the same function. */
  load: () => Promise<{ Part: ComponentType<P>; texts: LoadTexts }>;
  given: P;
};

const againMs = 10_000;

/** A part that is downloaded when it is first wanted, with its texts; what fails is tried again. */
export function LatePart<P extends object>({ texts, wanted, load, given }: LatePartProps<P>) {
  const isWanted = useStore(wanted);
  const [loaded, setLoaded] = useState<{ Part: ComponentType<P> } | null>(null);
  const isMissing = isWanted && loaded === null;
  useEffect(() => {
    if (!isMissing) return undefined;
    let timer = 0;
    const attempt = (): void => {
      load()
        .then(async (part) => {
          await texts.add(part.texts);
          setLoaded({ Part: part.Part });
        })
        .catch(() => {
          timer = window.setTimeout(attempt, againMs);
        });
    };
    attempt();
    return () => clearTimeout(timer);
  }, [isMissing, load, texts]);
  if (!isWanted || loaded === null) return null;
  const { Part } = loaded;
  return <Part {...given} />;
}
