import {
  type Webhook,
  type WebhookArea,
  webhookArea,
  type WebhookEvent,
  type WebhookLanguage,
  type WebhookShape,
} from '#features/webhooks/contract/webhooks.ts';
import type { ProblemWords } from '#web/platform/forms/problems-of.ts';
import { catalogueKey } from '#web/platform/i18n/catalogue-key.ts';

/** A webhook as typed in its form; the key of PagerDuty is not part of it, so that no browser stores it. */
export type WebhookDraft = {
  url: string;
  description: string;
  shape: WebhookShape;
  language: WebhookLanguage;
  areas: readonly WebhookArea[];
};

/** The name under which the form of a new one is stored. */
export const newWebhookWork = 'webhook';

export function emptyDraft(language: WebhookLanguage): WebhookDraft {
  return { url: '', description: '', shape: 'standard', language, areas: webhookArea.options };
}

export function draftOf({ url, description, shape, language, areas }: Webhook): WebhookDraft {
  return { url, description, shape, language, areas };
}

export const webhookWords: ProblemWords<'url' | 'description' | 'key' | 'areas'> = {
  fields: {
    url: {
      scheme: 'WEBHOOKS.ERRORS.URL.SCHEME',
      credentials: 'WEBHOOKS.ERRORS.URL.CREDENTIALS',
      'forbidden-address': 'WEBHOOKS.ERRORS.URL.FORBIDDEN_ADDRESS',
      too_big: 'WEBHOOKS.ERRORS.URL.TOO_BIG',
      else: 'WEBHOOKS.ERRORS.URL.FORMAT',
    },
    description: 'WEBHOOKS.ERRORS.DESCRIPTION',
    key: 'WEBHOOKS.ERRORS.KEY',
    areas: 'WEBHOOKS.ERRORS.AREAS',
  },
  codes: { VERSION_CONFLICT: 'WEBHOOKS.ERRORS.CONFLICT', CONFLICT: 'WEBHOOKS.ERRORS.TOO_MANY' },
};

/** The text key of an event's name. */
export function eventKey(event: WebhookEvent): string {
  return catalogueKey(event.replaceAll('.', '_'));
}

/** JSON with line breaks; anything else unchanged. */
export function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
