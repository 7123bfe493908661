import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Keeps a provider's refresh tokens so that the database alone opens none. */
export type TokenSeal = {
  seal(token: string, sessionId: string): string;
  /** The token, or null where it was sealed for another session or with other secrets. */
  open(sealed: string, sessionId: string): string | null;
};

const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/**
 * AES-256-GCM, bound to the session. The key is made of a secret of the installation, which is in the
 * database, and the client secret, which is not.
 */
export function createTokenSeal(installationSecret: string, clientSecret: string): TokenSeal {
  const key = Buffer.from(hkdfSync('sha256', installationSecret, clientSecret, 'refresh-token', 32));
  return {
    seal(token, sessionId) {
      const iv = randomBytes(ivBytes);
      const encrypt = createCipheriv(cipher, key, iv).setAAD(Buffer.from(sessionId));
      const sealed = Buffer.concat([encrypt.update(token, 'utf8'), encrypt.final()]);
      return Buffer.concat([iv, encrypt.getAuthTag(), sealed]).toString('base64url');
    },
    open(sealed, sessionId) {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < ivBytes + tagBytes) return null;
      try {
        const decrypt = createDecipheriv(cipher, key, bytes.subarray(0, ivBytes))
          .setAAD(Buffer.from(sessionId))
          .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
        return decrypt.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') + decrypt.final('utf8');
      } catch {
        return null;
      }
    },
  };
}
