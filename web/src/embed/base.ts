import { baseOf } from './place.ts';

/** The address below which Portico is, derived from the address of the script: the page does not contain it. */
export const address = baseOf(import.meta.url);
/** The path of `address`, such as `/portico`, or empty; every address of Portico begins with it. */
export const base = new URL(address).pathname.replace(/\/$/, '');
