import { useApp } from '#web/app/app-context.tsx';

/**
 * For calls that start maintenance: the maintenance page then does not cover the operator's tab.
 *
 * @returns a function that runs a call; if the call starts offline maintenance and succeeds, the operator
 *   stays in the console
 */
export function useStayInConsole(): <Result>(
  starts: boolean,
  call: () => Promise<Result>,
) => Promise<Result> {
  const { maintenance } = useApp();
  return async (starts, call) => {
    const undo = starts ? maintenance.stay() : () => {};
    try {
      return await call();
    } catch (error) {
      undo();
      throw error;
    }
  };
}
