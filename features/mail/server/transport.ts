import { isIPv4 } from 'node:net';
import {
  createTransport,
  type MailMessage,
  type SentMessageInfo,
  type SMTPConnectionOptions,
} from 'nodemailer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { MailSettings } from '#server/config-variables.ts';

export type Message = { to: string; subject: string; text: string; html: string };

/**
 * Why a message was not accepted. `refused`: for good, by the server's reply. `no-smtputf8`: the address has letters
 * that this server does not take. Everything else may succeed the next time. `unsure`: it may have been accepted,
 * since the reply never arrived.
 */
export type MailFailure = 'refused' | 'no-smtputf8' | 'unreachable' | 'tls' | 'sign-in' | 'busy' | 'unsure';

export type MailTransport = {
  /** Hands a message to the server. Answers why it did not take it, or null. Throws nothing. */
  send(message: Message, fromName: string): Promise<MailFailure | null>;
  /** Connects and signs in without a message. Answers why that failed, or null. Throws nothing. */
  check(): Promise<MailFailure | null>;
  close(): void;
};

const connectMs = 10_000;

/**
 * @param options `publicUrl`: its host greets the mail server. `ca`: certificates that are trusted instead of Node's,
 *   PEM. `silenceMs`: how long a server that has been reached may stay silent.
 */
export function createMailTransport(
  settings: MailSettings,
  {
    publicUrl,
    ca,
    silenceMs = 15_000,
  }: { publicUrl?: string; ca?: string | undefined; silenceMs?: number } = {},
): MailTransport {
  const { host, port, security, auth, from } = settings;
  const connecting: SMTPConnectionOptions = {
    host,
    port,
    ...(publicUrl === undefined ? {} : { name: greetingName(new URL(publicUrl).hostname) }),
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(ca === undefined ? {} : { tls: { ca } }),
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: silenceMs,
    dnsTimeout: connectMs,
  };
  const transport = createTransport(
    {
      name: 'SMTP',
      version: '1',
      send(mail: MailMessage, done) {
        converse(connecting, auth, mail.message).then(() => done(null, infoOf(mail)), done);
      },
    },
    // Paths and addresses in a message are never read or fetched.
    { disableFileAccess: true, disableUrlAccess: true },
  );
  return {
    async send(message, fromName) {
      try {
        await transport.sendMail({
          ...message,
          from: { name: from.name ?? fromName, address: from.address },
          to: { name: '', address: message.to },
          headers: {
            // RFC 3834: keeps out-of-office replies away.
            'Auto-Submitted': 'auto-generated',
            'X-Auto-Response-Suppress': 'All',
          },
        });
        return null;
      } catch (error) {
        return failureOf(error);
      }
    },
    check: () => converse(connecting, auth, null).then(() => null, failureOf),
    close: () => transport.close(),
  };
}

/**
 * One message, or none, over a connection of its own. Nodemailer's transport would send letters beyond ASCII also to a server that
 * does not offer SMTPUTF8 (RFC 6531, 3.2), which loses or returns them without a word.
 */
function converse(
  connecting: SMTPConnectionOptions,
  auth: MailSettings['auth'],
  message: MailMessage['message'] | null,
): Promise<void> {
  const connection = new SMTPConnection(connecting);
  const envelope = message?.getEnvelope();
  return new Promise<void>((resolve, reject) => {
    const end = (error?: Error | null): void => (error ? reject(error) : resolve());
    const send = (): void =>
      message === null || envelope === undefined
        ? end()
        : connection.send(envelope, message.createReadStream(), (error) => end(error));
    connection.once('error', (error: Error & { originalCode?: unknown }) => {
      // A server that ends the connection instead of a TLS handshake gives no other sign of it.
      const isReset = error.originalCode === 'ECONNRESET' && connection.lastServerResponse === false;
      const inHandshake = connection.upgrading === true || (connecting.secure === true && isReset);
      end(inHandshake ? Object.assign(error, { code: 'ETLS' }) : error);
    });
    connection.connect((error) => {
      if (error) return end(error);
      const offered = String(connection.lastServerResponse);
      if (
        envelope !== undefined &&
        /[^\0-\x7f]/.test(`${String(envelope.from)} ${String(envelope.to)}`) &&
        !/[ -]SMTPUTF8\b/i.test(offered)
      )
        return end(Object.assign(new Error('The mail server offers no SMTPUTF8.'), { code: noSmtpUtf8 }));
      if (auth === null || !connection.allowsAuth) return send();
      const credentials = { user: auth.user, pass: auth.password };
      return connection.login({ user: auth.user, credentials }, (refused) =>
        refused ? end(refused) : send(),
      );
    });
  }).finally(() => connection.close());
}

function infoOf({ message }: MailMessage): SentMessageInfo {
  return { envelope: message.getEnvelope(), messageId: message.messageId() };
}

/** A host as EHLO names it: an address stands in brackets (RFC 5321, 4.1.3). */
function greetingName(host: string): string {
  if (host.startsWith('[')) return `[IPv6:${host.slice(1)}`;
  return isIPv4(host) ? `[${host}]` : host;
}

const noSmtpUtf8 = 'NO_SMTPUTF8';

/** The kind of the error; its text is not passed on, since it may hold addresses. */
function failureOf(error: unknown): MailFailure {
  const { code, command, originalCode, responseCode, message } = error as {
    message?: unknown;
    code?: unknown;
    originalCode?: unknown;
    command?: unknown;
    responseCode?: unknown;
  };
  if (code === 'EAUTH' || code === 'ENOAUTH' || code === 'EOAUTH2') return 'sign-in';
  if (code === noSmtpUtf8) return 'no-smtputf8';
  if (code === 'ETLS' || [code, originalCode, message].some(isAboutTls)) return 'tls';
  if (typeof responseCode === 'number') {
    if (responseCode >= 500 && responseCode !== 530 && command !== 'CONN') return 'refused';
    return 'busy';
  }
  if (code === 'EENVELOPE') return 'refused';
  // Once the text is on its way, whether it has arrived is unknown.
  if (command === 'DATA' || code === 'EMESSAGE' || code === 'ESTREAM') return 'unsure';
  return command === 'CONN' ||
    code === 'EDNS' ||
    code === 'ECONNECTION' ||
    code === 'ESOCKET' ||
    code === 'ETIMEDOUT'
    ? 'unreachable'
    : 'unsure';
}

/** Nodemailer replaces the code of some errors, and leaves their text alone. */
function isAboutTls(reason: unknown): boolean {
  return (
    typeof reason === 'string' &&
    /CERT|SELF_SIGNED|UNABLE_TO_|TLS|SSL|EPROTO|certificate|wrong version number|altnames|handshake/.test(
      reason,
    )
  );
}
