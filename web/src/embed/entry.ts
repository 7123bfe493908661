import type { Portico } from './portico.d.ts';
import { start } from './start.ts';

/** The same object for all: for a second tag in the page, and for a script that imports this module. */
export const portico: Portico = (window as Partial<Window>).portico ?? start();
