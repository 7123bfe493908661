import type { TabMemory } from './tab-memory.ts';

/** Why somebody stands at the sign-in, as the page before knows it and the sign-in says it. */
export type SignInNews = 'account-made' | 'password-set' | 'session-ended';

const key = 'portico.sign-in-news';
const known: readonly string[] = ['account-made', 'password-set', 'session-ended'] satisfies SignInNews[];

/** Leaves it for the sign-in page of this tab; null: somebody is signed in. */
export function leaveSignInNews(memory: TabMemory, news: SignInNews | null): void {
  memory.write(key, news);
}

/** What was left. It stands until somebody is signed in, so that a reload says it again. */
export function readSignInNews(memory: TabMemory): SignInNews | null {
  const left = memory.read(key);
  return left !== null && known.includes(left) ? (left as SignInNews) : null;
}
