import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { Portico, PorticoEvents } from './portico.d.ts';

/*
 * Hooks for applications with their own React. The page includes `portico.js` itself. The hooks wait until
 * `window.portico` is there; on a server it never is.
 */

const names = ['ready', 'user', 'session', 'rights', 'flags', 'maintenance'] as const;

function current(): Portico | null {
  return typeof window === 'undefined' ? null : (window.portico ?? null);
}

let count = 0;

function subscribe(on: readonly (keyof PorticoEvents)[]) {
  return (listener: () => void): (() => void) => {
    let stops: (() => void)[] = [];
    let isWanted = true;
    const follow = (portico: Portico): void => {
      if (!isWanted) return;
      stops = on.map((name) =>
        portico.on(name, () => {
          count += 1;
          listener();
        }),
      );
      listener();
    };
    const portico = current();
    if (portico === null) window.addEventListener('portico', () => follow(window.portico), { once: true });
    else follow(portico);
    return () => {
      isWanted = false;
      for (const stop of stops) stop();
    };
  };
}

const toAll = subscribe(names);
const toRights = subscribe(['ready', 'rights', 'flags', 'session']);
const toFlags = subscribe(['ready', 'flags']);
const toReady = subscribe(['ready']);

/** Returns `window.portico` and renders again after each change; null until it is loaded. */
export function usePortico(): Portico | null {
  useSyncExternalStore(
    toAll,
    () => count,
    () => 0,
  );
  return current();
}

/** Whether the person holds a right now, live. */
export function useCan(right: string): boolean {
  return useSyncExternalStore(
    toRights,
    () => current()?.can(right) ?? false,
    () => false,
  );
}

/** The value of a flag for this person, live; the fallback while it is not known. */
export function useFlag<T>(key: string, fallback: T): T;
export function useFlag(key: string): unknown;
export function useFlag(key: string, fallback?: unknown): unknown {
  return useSyncExternalStore(
    toFlags,
    () => current()?.flag(key, fallback) ?? fallback,
    () => fallback,
  );
}

/** Reports, while a component is mounted, whether it holds unsaved work. */
export function useUnsaved(isUnsaved: boolean): void {
  const portico = useSyncExternalStore(toReady, current, () => null);
  const place = useRef(null);
  useEffect(() => {
    if (portico === null || !isUnsaved) return undefined;
    portico.unsaved(true, place);
    return () => portico.unsaved(false, place);
  }, [portico, isUnsaved]);
}
