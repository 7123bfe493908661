import type { TabMemory } from './tabs/tab-memory.ts';

/** Why a person is at the sign-in, as the page before knows it and the sign-in shows it. */
export type SignInNews = (typeof known)[number];

const key = 'portico.sign-in-news';
const known = [
  'account-made',
  'password-set',
  'session-ended',
  'session-idle',
  'session-lifetime',
  'session-elsewhere',
  'session-password',
  'session-operator',
] as const;

const addressKey = 'portico.return-to';

/** Leaves the address to return to, for a sign-in page that finds out that the person has signed in through another tab. */
export function leaveReturnAddress(memory: TabMemory, address: string | null): void {
  memory.write(addressKey, address);
}

/** Where this tab was before it stood at the sign-in; the home screen where that is not known. */
export function readReturnAddress(memory: TabMemory): string {
  const address = memory.read(addressKey) ?? '';
  // A path of this origin and nothing that a browser would read as another one.
  return /^\/(?![/\\])/.test(address) ? address : '/';
}

/** Leaves it for the sign-in page of this tab; null: a person is signed in. */
export function leaveSignInNews(memory: TabMemory, news: SignInNews | null): void {
  memory.write(key, news);
}

/** What was left. It stands until a person is signed in, so that a reload shows it again. */
export function readSignInNews(memory: TabMemory): SignInNews | null {
  const left = memory.read(key);
  return known.find((one) => one === left) ?? null;
}
