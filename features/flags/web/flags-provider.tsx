import { GrowthBookContext } from '@growthbook/growthbook-react';
import { type ReactNode, useMemo } from 'react';
import { useStore } from '#web/platform/state/use-store.ts';
import type { Flags } from './flags.ts';

/** Below it the SDK's hooks (`useFeatureIsOn`, `useFeatureValue`, …) follow every change. */
export function FlagsProvider({ flags, children }: { flags: Flags; children: ReactNode }) {
  const state = useStore(flags.state);
  // A new object for each state: the SDK's hooks evaluate when their component renders, and this makes it
  // render.
  const value = useMemo(() => ({ growthbook: flags.growthbook, state }), [flags, state]);
  return <GrowthBookContext.Provider value={value}>{children}</GrowthBookContext.Provider>;
}
