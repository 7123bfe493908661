import type { Webhook } from '@portico/contract/webhooks';
import { readFields } from '../../platform/kept-work.ts';

/** A webhook as it stands in its form. */
export type WebhookDraft = { url: string; description: string };

/** Under which name what is typed of a new one is kept. */
export const newWebhookWork = 'webhook';

export const emptyDraft: WebhookDraft = { url: '', description: '' };

export function draftOf({ url, description }: Webhook): WebhookDraft {
  return { url, description };
}

export function sameDraft(one: WebhookDraft, other: WebhookDraft): boolean {
  return one.url === other.url && one.description === other.description;
}

/** What was kept of a new one; null: it is none of this release. */
export function readKeptDraft(kept: unknown): WebhookDraft | null {
  return readFields(emptyDraft, kept);
}

/** What was kept of one that is edited, with the version that it began with. */
export function readKeptEdit(kept: unknown): { draft: WebhookDraft; version: number } | null {
  const edit = readFields({ draft: {}, version: 0 }, kept);
  const draft = readKeptDraft(edit?.draft);
  return edit === null || draft === null ? null : { draft, version: edit.version };
}
