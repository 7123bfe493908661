import * as z from 'zod/mini';
import { route } from '#contract/route.ts';

export const retainedDraftsKey = route({
  method: 'GET',
  path: '/v1/kept-drafts/key',
  summary:
    'The key, 32 bytes in base64url, by which a browser encrypts what the caller leaves on a device when they sign out; a person’s alone (SES-7)',
  access: 'signed-in',
  closed: 'open',
  answer: z.object({ key: z.string() }),
});
