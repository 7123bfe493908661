import { createContext, type ReactNode, useContext } from 'react';
import type { Screen } from './screens.ts';

const context = createContext<readonly Screen[]>([]);

export function ProvideScreens({ screens, children }: { screens: readonly Screen[]; children: ReactNode }) {
  return <context.Provider value={screens}>{children}</context.Provider>;
}

export function useScreens(): readonly Screen[] {
  return useContext(context);
}
