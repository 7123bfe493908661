import { createContext, type ReactNode, useContext } from 'react';
import type { Formats } from './formats.ts';

const context = createContext<Formats | null>(null);

export function ProvideFormats({ formats, children }: { formats: Formats; children: ReactNode }) {
  return <context.Provider value={formats}>{children}</context.Provider>;
}

/** How times, numbers and lists are written for the person who looks at the page. */
export function useFormats(): Formats {
  const formats = useContext(context);
  if (formats === null) throw new Error('The formats are not provided here.');
  return formats;
}
