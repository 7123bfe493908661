import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts texts, each for one purpose of one row, so that none can be put in the place of another. */
export type Seal = {
  seal(text: string, boundTo: string): string;
  /** The text, or null where it was sealed for something else or with other secrets. */
  open(sealed: string, boundTo: string): string | null;
};

const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/**
 * AES-256-GCM, bound to what a text belongs to.
 *
 * @param installationSecret the secret in the database
 * @param outsideSecret the secret outside the database, where there is one
 */
export function createSeal(installationSecret: string, outsideSecret: string, purpose: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', installationSecret, outsideSecret, purpose, 32));
  return {
    seal(text, boundTo) {
      const iv = randomBytes(ivBytes);
      const encrypt = createCipheriv(cipher, key, iv).setAAD(Buffer.from(boundTo));
      const sealed = Buffer.concat([encrypt.update(text, 'utf8'), encrypt.final()]);
      return Buffer.concat([iv, encrypt.getAuthTag(), sealed]).toString('base64url');
    },
    open(sealed, boundTo) {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < ivBytes + tagBytes) return null;
      try {
        const decrypt = createDecipheriv(cipher, key, bytes.subarray(0, ivBytes))
          .setAAD(Buffer.from(boundTo))
          .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
        return decrypt.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') + decrypt.final('utf8');
      } catch {
        return null;
      }
    },
  };
}
