/** Hooks for `portico.js` in an application with React 18 or newer. A page includes `portico.js` itself. */
import type { Portico } from './portico.js';

/** Returns `window.portico` and renders again after each change; null until it is loaded, and on a server. */
export declare function usePortico(): Portico | null;

/** Whether the person holds a right now, live. */
export declare function useCan(right: string): boolean;

/** The value of a flag for this person, live; the fallback while it is unknown or switched off. */
export declare function useFlag<T>(key: string, fallback: T): T;
export declare function useFlag(key: string): unknown;

/** Reports, while a component is mounted, whether it holds unsaved work, as `portico.unsaved` does. */
export declare function useUnsaved(isUnsaved: boolean): void;
