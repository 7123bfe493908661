import { createContext, type ReactNode, useContext } from 'react';
import { createFormats, type Formats, ownTimeZone } from './formats.ts';

const context = createContext<Formats | null>(null);

export function ProvideFormats({ formats, children }: { formats: Formats; children: ReactNode }) {
  return <context.Provider value={formats}>{children}</context.Provider>;
}

/** How times, numbers and lists are written for who looks at the page. */
export function useFormats(): Formats {
  return useContext(context) ?? (fallback ??= createFormats(document.documentElement.lang, ownTimeZone()));
}

let fallback: Formats | undefined;
