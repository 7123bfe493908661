import * as z from 'zod/mini';
import { accessToken } from '#features/session/contract/session.ts';

/** A token with its times by the server's clock. `receivedAt` is by this computer's clock, which all tabs share. */
const tokenAnswer = z.extend(accessToken, { receivedAt: z.number() });
export type TokenAnswer = z.infer<typeof tokenAnswer>;

/** What the tabs of a browser send each other about the session. */
export const sessionMessage = z.discriminatedUnion('type', [
  z.extend(tokenAnswer, { type: z.literal('token') }),
  /** The sending tab found that the server has ended the session: the other tabs ask the server themselves. */
  z.object({ type: z.literal('ended') }),
  /** `keptOf`: the tabs whose typed text was stored as drafts; null: typed text is discarded in all tabs. */
  z.object({ type: z.literal('signed-out'), keptOf: z.nullable(z.array(z.string())) }),
]);
export type SessionMessage = z.infer<typeof sessionMessage>;
