import { createStore, del, get, set } from 'idb-keyval';

/*
 * Drafts that a person left on this device when they signed out. They are encrypted with a key that the
 * server gives to that person alone, so that no page of another person who signs in here can read them.
 */

/** `content` is in the format of the form or the report that it belongs to. */
export type RetainedDraft = {
  readonly id: string;
  readonly what: string;
  readonly address: string;
  readonly content: { readonly kind: 'form'; readonly name: string; readonly work: unknown } | RetainedReport;
};
export type RetainedReport = {
  readonly kind: 'report';
  readonly draft: unknown;
  readonly picture: string | null;
};

type SealedDrafts = { readonly form: 1; readonly iv: Uint8Array<ArrayBuffer>; readonly sealed: ArrayBuffer };

export type RetainedDraftStore = {
  /**
   * The stored drafts; none where the key does not fit any more. Rejects where the browser or the server does
   * not answer.
   */
  read(): Promise<readonly RetainedDraft[]>;
  /** Replaces the stored drafts; an empty list leaves none. */
  write(drafts: readonly RetainedDraft[]): Promise<void>;
};

const table = createStore('portico-kept-drafts', 'drafts');

/** Removes a person's drafts, which needs no key. */
export function removeDraftsOf(person: string): Promise<void> {
  return del(person, table);
}

/** @param secret 32 bytes in base64url, of that person alone */
export function openRetainedDraftStore(person: string, secret: string): RetainedDraftStore {
  const bound = new TextEncoder().encode(person);
  const key = crypto.subtle.importKey('raw', bytesOf(secret), 'AES-GCM', false, ['encrypt', 'decrypt']);
  return {
    async read() {
      const record = await get<SealedDrafts>(person, table);
      if (record?.form !== 1) return [];
      const { iv, sealed } = record;
      const opened = await crypto.subtle
        .decrypt({ name: 'AES-GCM', iv, additionalData: bound }, await key, sealed)
        .catch(() => null);
      return opened === null ? [] : (JSON.parse(new TextDecoder().decode(opened)) as RetainedDraft[]);
    },
    async write(drafts) {
      if (drafts.length === 0) {
        await removeDraftsOf(person);
        return;
      }
      const iv = crypto.getRandomValues(new Uint8Array(12));
      const text = new TextEncoder().encode(JSON.stringify(drafts));
      const sealed = await crypto.subtle.encrypt(
        { name: 'AES-GCM', iv, additionalData: bound },
        await key,
        text,
      );
      await set(person, { form: 1, iv, sealed } satisfies SealedDrafts, table);
    },
  };
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
}
