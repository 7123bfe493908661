import { recordAudit } from '#features/audit/server/audit.store.ts';
import { providerKeyRotation } from '#features/identity-provider/server/provider.ts';
import { accessTokenKeys } from '#features/session/server/access-token.ts';
import { rotateKey } from '../platform/keys/signing-key.ts';
import type { Command } from './command.ts';

export const keysRotate: Command = {
  summary: 'Makes new signing keys',
  about: [
    'Makes new keys for access tokens and for the embedded provider. They sign ten minutes later, when every verifier',
    'knows them, and the old ones are accepted until their last signature has expired: no session ends.',
    'It happens by itself every 90 days.',
    '',
    'With --at-once, for a key that may have leaked, the old key of access tokens is not accepted from now on.',
    'Browsers fetch themselves new tokens; no session ends by that either.',
  ].join('\n'),
  startsData: false,
  options: { 'at-once': { value: null, help: 'The old key of access tokens is no longer accepted' } },
  prepare(values) {
    const atOnce = values['at-once'] !== undefined;
    return ({ database, actor, sessionMaxMs }) =>
      database.change(async (change) => {
        const signsFrom = await rotateKey(change, accessTokenKeys, atOnce);
        // Only the provider itself verifies these signatures, when a session signs out.
        await rotateKey(change, providerKeyRotation(sessionMaxMs));
        await recordAudit(change, actor, {
          action: 'signing-keys.rotate',
          subject: 'signing-keys',
          after: { signsFrom, atOnce },
        });
        const from = new Date(signsFrom).toISOString();
        const note = atOnce
          ? 'A new key signs from now on, and the old one is no longer accepted.'
          : `A new key signs from ${from} on; the old one is accepted until its last signature has expired.`;
        return { result: from, notes: [note], json: { signsFrom, atOnce } };
      });
  },
};
