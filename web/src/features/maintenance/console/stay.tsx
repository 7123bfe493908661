import { createContext, type ReactNode, use } from 'react';

/** Has the maintenance page not cover this tab when maintenance starts now; returns how to undo that. */
export type Stay = () => () => void;

const context = createContext<Stay>(() => () => {});

/** For the dialogs that start maintenance: the operator who does that stays in the console. */
export function ProvideStay({ stay, children }: { stay: Stay; children: ReactNode }) {
  return <context.Provider value={stay}>{children}</context.Provider>;
}

/**
 * For a call that may start maintenance: if it does, the operator stays in the console.
 *
 * @returns a function that takes whether the call starts offline maintenance, and the call
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
