import { createContext, type ReactNode, use } from 'react';

/**
 * Prevents the maintenance page from covering this tab when maintenance starts; returns a function that
 * undoes it.
 */
export type StayInConsole = () => () => void;

const context = createContext<StayInConsole>(() => () => {});

/** For dialogs that start maintenance: the operator stays in the console. */
export function ProvideStayInConsole({ stay, children }: { stay: StayInConsole; children: ReactNode }) {
  return <context.Provider value={stay}>{children}</context.Provider>;
}

/**
 * @returns a function that runs a call; if the call starts offline maintenance and succeeds, the operator
 *   stays in the console
 */
export function useStayInConsole(): <Result>(
  starts: boolean,
  call: () => Promise<Result>,
) => Promise<Result> {
  const stay = use(context);
  return async (starts, call) => {
    const undo = starts ? stay() : () => {};
    try {
      return await call();
    } catch (error) {
      undo();
      throw error;
    }
  };
}
