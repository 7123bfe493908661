import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { expect } from 'vitest';
import type { MailSettings } from '../config-variables.ts';
import { afterThisTest } from './fresh-database.ts';
import { loopbackCertificate } from './loopback-certificate.ts';

/** A mail as it was received. */
export type ReceivedMail = {
  to: string[];
  from: string;
  subject: string;
  headers: string;
  /** Decoded. */
  text: string;
  html: string;
  /** The link in it. */
  link: string;
  secure: boolean;
  /** The name with which the client greeted the server. */
  greeting: string;
  user: string | null;
};

export type MailServer = {
  settings: MailSettings;
  received: ReceivedMail[];
  /**
   * The answer to the next recipients: null accepts them, a number is an SMTP error, `silent` never answers.
   */
  answer(how: null | number | 'silent'): void;
  /** Waits until so many have come; answers the last of them. */
  arrived(count: number): Promise<ReceivedMail>;
  close(): Promise<void>;
};

/** A mail server on loopback, gone after the test. */
export async function startMailServer({
  security = 'none',
  account = null,
  smtpUtf8 = true,
}: {
  security?: MailSettings['security'];
  account?: { user: string; password: string } | null;
  smtpUtf8?: boolean;
} = {}): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  let how: null | number | 'silent' = null;
  const server = new SMTPServer({
    ...loopbackCertificate,
    secure: security === 'tls',
    authOptional: account === null,
    disabledCommands: security === 'none' ? ['STARTTLS'] : [],
    allowInsecureAuth: true,
    closeTimeout: 100,
    logger: false,
    hideSMTPUTF8: !smtpUtf8,
    onAuth: ({ username, password }, _session, done) =>
      username === account?.user && password === account?.password
        ? done(null, { user: username })
        : done(new Error('wrong')),
    onRcptTo(_address, _session, done) {
      if (how === 'silent') return;
      done(how === null ? null : Object.assign(new Error('no'), { responseCode: how }));
    },
    onData(stream, session, done) {
      void text(stream).then((raw) => {
        received.push(read(raw, session));
        done();
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  afterThisTest(close);
  return {
    settings: {
      host: '127.0.0.1',
      port,
      security,
      auth: account,
      from: { name: null, address: 'portico@example.org' },
    },
    received,
    answer: (next) => (how = next),
    async arrived(count) {
      await expect.poll(() => received.length).toBe(count);
      const last = received.at(-1);
      if (last === undefined) throw new Error('Nothing has come.');
      return last;
    },
    close,
  };
}

function read(
  raw: string,
  session: {
    envelope: { mailFrom: false | { address: string }; rcptTo: { address: string }[] };
    hostNameAppearsAs?: false | string;
    secure?: boolean;
    user?: unknown;
  },
): ReceivedMail {
  const [headers = ''] = raw.split('\r\n\r\n', 1);
  const boundary = /boundary="([^"]+)"/.exec(headers)?.[1] ?? 'none';
  const parts = raw.split(`--${boundary}`);
  const part = (type: string): string =>
    decode(parts.find((one) => new RegExp(`content-type: ${type}`, 'i').test(one)) ?? '');
  const plain = part('text/plain');
  const { mailFrom, rcptTo } = session.envelope;
  return {
    to: rcptTo.map(({ address }) => address),
    from: mailFrom === false ? '' : mailFrom.address,
    subject: words(/^subject: ((?:.|\r\n[ \t])*)/im.exec(headers)?.[1] ?? ''),
    headers,
    text: plain,
    html: part('text/html'),
    link: /https?:\/\/\S+#\S+/.exec(plain)?.[0] ?? '',
    secure: session.secure === true,
    greeting: session.hostNameAppearsAs || '',
    user: typeof session.user === 'string' ? session.user : null,
  };
}

/** A part by its transfer encoding (RFC 2045 6). */
function decode(part: string): string {
  const end = part.indexOf('\r\n\r\n');
  const [head, body] = [part.slice(0, end), part.slice(end + 4)];
  if (/encoding: base64/i.test(head)) return Buffer.from(body, 'base64').toString();
  if (!/encoding: quoted-printable/i.test(head)) return body.replaceAll('\r\n', '\n');
  return bytesOf(body.replaceAll('=\r\n', ''), /=([0-9A-F]{2})/g).replaceAll('\r\n', '\n');
}

function bytesOf(encoded: string, pattern: RegExp): string {
  return Buffer.from(
    encoded.replaceAll(pattern, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();
}

/** Encoded words of a header (RFC 2047). */
function words(header: string): string {
  return header
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .replaceAll(/\?= =\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_whole, kind: string, encoded: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(encoded, 'base64').toString()
        : bytesOf(encoded.replaceAll('_', ' '), /=([0-9A-F]{2})/gi),
    )
    .trim();
}
