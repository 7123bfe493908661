import type { TabMemory } from './tabs/tab-memory.ts';
import { base } from './base.ts';

/** Why a person is at the sign-in, passed on by the page before. */
export type SignInReason = (typeof known)[number];

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

/**
 * Stores the address to return to, for a sign-in page that notices that the person has signed in through
 * another tab.
 */
export function storeReturnAddress(memory: TabMemory, address: string | null): void {
  memory.write(addressKey, address);
}

/**
 * The address of this tab before the sign-in; the home screen if it is not known.
 *
 * @param named the return address that the address of this page names, or null
 */
export function readReturnAddress(memory: TabMemory, named: string | null): string {
  const address = named ?? memory.read(addressKey) ?? '';
  // Only a path of this origin. Browsers drop tabs and line breaks, which could turn it into another address.
  return /^\/(?![/\\])[^\t\n\r]*$/.test(address) ? address : `${base}/`;
}

/** Stores the reason for the sign-in page of this tab; null removes it, when a person is signed in. */
export function storeSignInReason(memory: TabMemory, news: SignInReason | null): void {
  memory.write(key, news);
}

/** Reads the stored reason. It stays until a person is signed in, so that a reload shows it again. */
export function readSignInReason(memory: TabMemory): SignInReason | null {
  const left = memory.read(key);
  return known.find((one) => one === left) ?? null;
}
