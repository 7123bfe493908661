import type { Portico } from './portico.d.ts';
import { start } from './start.ts';

/** A tag that stands twice in a page, or a script that imports what a tag has included, gets the same. */
export const portico: Portico = (window as Partial<Window>).portico ?? start();
