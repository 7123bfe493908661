import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { NewPasskey, PasskeyAssertion } from '#features/identity-provider/contract/factors.ts';

type Key = { id: Buffer; handle: string; rpId: string; counter: number; sign(data: Buffer): Buffer };

/** What an attacker's page or device does differently. */
export type Faults = { origin?: string; rpId?: string; verified?: boolean; counter?: number };

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const text = (data: Buffer | string): string => Buffer.from(data).toString('base64url');

/** A device that makes and uses passkeys as WebAuthn describes it, in software; its user is always verified. */
export function createAuthenticator(origin: string, { counts = true } = {}) {
  const keys: Key[] = [];

  function clientData(type: string, options: Record<string, unknown>, faults: Faults): string {
    return JSON.stringify({ type, challenge: options['challenge'], origin: faults.origin ?? origin });
  }

  function authenticatorData(key: Key, faults: Faults, attested = Buffer.alloc(0)): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(faults.counter ?? key.counter);
    const flags = 0x01 | (faults.verified === false ? 0 : 0x04) | (attested.length > 0 ? 0x40 : 0);
    return Buffer.concat([sha256(faults.rpId ?? key.rpId), Buffer.from([flags]), counter, attested]);
  }

  return {
    create(options: Record<string, unknown>, faults: Faults = {}): NewPasskey {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      const key: Key = {
        id: randomBytes(16),
        handle: (options['user'] as { id: string }).id,
        rpId: (options['rp'] as { id: string }).id,
        counter: 0,
        sign: (data) => createSign('sha256').update(data).sign(privateKey),
      };
      keys.push(key);
      // COSE and CBOR, by hand: a map of key type, algorithm, curve and the two coordinates.
      const cose = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ]);
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, key.id.length]), key.id, cose]);
      const data = authenticatorData(key, faults, attested);
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
        Buffer.from([data.length]),
        data,
      ]);
      return {
        id: text(key.id),
        rawId: text(key.id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: text(clientData('webauthn.create', options, faults)),
          attestationObject: text(attestation),
          transports: ['internal'],
        },
      };
    },

    /** Answers with its last passkey. */
    get(options: Record<string, unknown>, faults: Faults = {}): PasskeyAssertion {
      const key = keys.at(-1);
      if (key === undefined) throw new Error('There is no passkey on this device.');
      if (counts) key.counter += 1;
      const data = authenticatorData(key, faults);
      const client = clientData('webauthn.get', options, faults);
      return {
        id: text(key.id),
        rawId: text(key.id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: text(client),
          authenticatorData: text(data),
          signature: text(key.sign(Buffer.concat([data, sha256(client)]))),
          userHandle: key.handle,
        },
      };
    },
  };
}
