import { createContext, type ReactNode, use } from 'react';

/** Keeps the page of a maintenance that starts now off this tab; returns how to take that back. */
export type Stay = () => () => void;

const context = createContext<Stay>(() => () => {});

/** For what starts maintenance: the operator who does that goes on working in the console. */
export function ProvideStay({ stay, children }: { stay: Stay; children: ReactNode }) {
  return <context.Provider value={stay}>{children}</context.Provider>;
}

/**
 * Makes a call that may start maintenance, in whose tab the operator stays.
 *
 * @returns a function of the call and of whether it starts maintenance that nobody works through
 */
export function useStaying(): <Result>(starts: boolean, call: () => Promise<Result>) => Promise<Result> {
  const stay = use(context);
  return async (starts, call) => {
    const takeBack = starts ? stay() : () => {};
    try {
      return await call();
    } catch (error) {
      takeBack();
      throw error;
    }
  };
}
