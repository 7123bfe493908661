/** Hooks for `portico.js` in an application with React 18 or newer. A page includes `portico.js` itself. */
import type { Portico } from './portico.js';

/** `window.portico`, and draws again after each change; null until it is there, and on a server. */
export declare function usePortico(): Portico | null;

/** Whether the person holds a right now, live. */
export declare function useCan(right: string): boolean;

/** The value of a flag for this person, live; the fallback while it is unknown or switched off. */
export declare function useFlag<T>(key: string, fallback: T): T;
export declare function useFlag(key: string): unknown;

/** Says while a component is shown whether something is typed in it that is not saved, as `portico.unsaved`. */
export declare function useUnsaved(isUnsaved: boolean): void;
