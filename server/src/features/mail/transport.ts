import { createTransport } from 'nodemailer';
import type { MailSettings } from '../../config-variables.ts';

export type Message = { to: string; subject: string; text: string; html: string };

/**
 * Why a message was not accepted. `refused`: for good, by the server's reply; everything else may succeed the
 * next time. `unsure`: it may have been accepted, since the reply never arrived.
 */
export type MailFailure = 'refused' | 'unreachable' | 'tls' | 'sign-in' | 'busy' | 'unsure';

export type MailTransport = {
  /** Hands a message to the server. Answers why it did not take it, or null. Throws nothing. */
  send(message: Message, fromName: string): Promise<MailFailure | null>;
  close(): void;
};

const connectMs = 10_000;

/**
 * @param ca certificates that are trusted instead of Node's, PEM
 * @param timeout how long a server that has been reached may stay silent, milliseconds
 */
export function createMailTransport(
  settings: MailSettings,
  ca?: string,
  { silenceMs = 15_000 }: { silenceMs?: number } = {},
): MailTransport {
  const { host, port, security, auth, from } = settings;
  const transport = createTransport({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(auth === null ? {} : { auth: { user: auth.user, pass: auth.password } }),
    ...(ca === undefined ? {} : { tls: { ca } }),
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: silenceMs,
    dnsTimeout: connectMs,
    // Paths and addresses in a message are never read or fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
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
    close: () => transport.close(),
  };
}

/** The kind of the error; its text is not passed on, since it may hold addresses. */
function failureOf(error: unknown): MailFailure {
  const { code, command, responseCode, message } = error as {
    message?: unknown;
    code?: unknown;
    command?: unknown;
    responseCode?: unknown;
  };
  if (code === 'EAUTH' || code === 'ENOAUTH' || code === 'EOAUTH2') return 'sign-in';
  if (code === 'ETLS' || isAboutTls(code) || isAboutTls(message)) return 'tls';
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

/** Once it is a refused certificate the error's own code is gone, and its text alone is left. */
function isAboutTls(reason: unknown): boolean {
  return (
    typeof reason === 'string' &&
    /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL|EPROTO|certificate|wrong version number|altnames/.test(
      reason,
    )
  );
}
