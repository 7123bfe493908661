import { useLayoutEffect, useState } from 'preact/hooks';

/*
 * What the components before the report dialog use of React, in Preact. `preact/compat`, which knows all of it, comes with the parts
 * that need it: portals, and React's events of fields.
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
    // It may have changed between the drawing and this.
    look();
    return subscribe(look);
  }, [subscribe, get, value]);
  return value;
}
