import type { Webhook } from '#features/webhooks/contract/webhooks.ts';
import type { ProblemWords } from '#web/platform/forms/problems-of.ts';

/** A webhook as typed in its form. */
export type WebhookDraft = { url: string; description: string };

/** The name under which the form of a new one is stored. */
export const newWebhookWork = 'webhook';

export const emptyDraft: WebhookDraft = { url: '', description: '' };

export function draftOf({ url, description }: Webhook): WebhookDraft {
  return { url, description };
}

export const webhookWords: ProblemWords<keyof WebhookDraft> = {
  fields: {
    url: {
      scheme: 'WEBHOOKS.ERRORS.URL.SCHEME',
      credentials: 'WEBHOOKS.ERRORS.URL.CREDENTIALS',
      'forbidden-address': 'WEBHOOKS.ERRORS.URL.FORBIDDEN_ADDRESS',
      too_big: 'WEBHOOKS.ERRORS.URL.TOO_BIG',
      else: 'WEBHOOKS.ERRORS.URL.FORMAT',
    },
    description: 'WEBHOOKS.ERRORS.DESCRIPTION',
  },
  codes: { VERSION_CONFLICT: 'WEBHOOKS.ERRORS.CONFLICT', CONFLICT: 'WEBHOOKS.ERRORS.TOO_MANY' },
};
