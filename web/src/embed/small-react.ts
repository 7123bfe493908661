import { useLayoutEffect, useState } from 'preact/hooks';

/*
 * The parts of React that the components before the report dialog use, in Preact. `preact/compat` has all of React;
 * it is downloaded with the parts that need it, for portals and React's events of fields.
 */

export { Component, createContext, createRef, Fragment } from 'preact';
export {
  useCallback,
  useContext,
  useContext as use,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'preact/hooks';

/** The value of a store, live. */
export function useSyncExternalStore<T>(subscribe: (listener: () => void) => () => void, get: () => T): T {
  const [, draw] = useState({});
  const value = get();
  useLayoutEffect(() => {
    const look = (): void => {
      if (!Object.is(get(), value)) draw({});
    };
    // The value may have changed since the rendering.
    look();
    return subscribe(look);
  }, [subscribe, get, value]);
  return value;
}
