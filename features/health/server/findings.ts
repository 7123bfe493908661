import type { StepOutcome } from '#features/outside-provider/server/check-provider.ts';

/** What checks find, in English as the command and the log show it; screens have these keys in each language. */
export const sentences = {
  CONFIGURATION: '{{url}} is read as the public address.',
  PUBLIC_HTTP: 'PUBLIC_URL is http: passwords and cookies travel readable. Let a proxy serve https.',
  RATE_LIMIT: 'RATE_LIMIT_SCALE is {{scale}}: guesses at passwords are slowed down less.',
  METRICS_OPEN: 'METRICS_HOST is open without METRICS_TOKEN: whoever reaches the port reads the figures.',
  DISK: '{{folder}} has {{free}} free.',
  DISK_FULL: 'Free some space: until then nothing can be stored.',
  DISK_LOW: 'Free some space soon.',
  STORE: '{{where}} wrote, read and removed an object in {{ms}} ms.',
  STORE_KEEPS: '{{where}} does not remove objects.',
  STORE_ERROR: '{{where}}: {{reason}}',
  STORE_UNREACHABLE: 'Check the endpoint in FILES_URL. Files are read and written again once it answers.',
  STORE_REFUSED:
    'Check S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, and that they may read, write, list and remove.',
  STORE_NO_BUCKET: 'Create the bucket, or name another one in FILES_URL.',
  STORE_NOT_FOUND: 'What was written cannot be read: another rule of the store may remove it.',
  STORE_REDIRECTED: 'Name the address in FILES_URL to which it leads; the region may be another one.',
  STORE_WRONG_ANSWER: 'Check the endpoint in FILES_URL.',
  STORE_CHANGED: 'Something between changes what is sent.',
  STORE_FAILED: 'The documentation of the store explains the reason.',
  DATABASE: '{{version}} answered in {{ms}} ms; its schema is {{schema}}.',
  DATABASE_DAMAGED: 'The database is damaged: {{fault}}. Restore a backup (docs/backup.md).',
  DATABASE_OLDER:
    'The database is of an older release ({{schema}}). Make a backup, then start the release installed here: it brings the database to {{newest}}.',
  DATABASE_NEWER:
    'The database is of a newer release ({{schema}}; the one installed here knows {{newest}}). Use the newer release.',
  NOTIFICATIONS: 'A notification from one connection reached another.',
  NOTIFICATIONS_POOLER:
    "Behind the pooler a long read is not ended by PostgreSQL: alter role … set statement_timeout = '30s' (docs/deploy.md).",
  CLOCK: 'This machine’s clock is not behind the last change.',
  CLOCK_BEHIND:
    "The last change is {{seconds}} s in the future: this machine's clock is behind. Set it by NTP.",
  MAIL: 'The mail server {{server}} accepts mail from this installation.',
  MAIL_UNSET: 'SMTP_HOST and MAIL_FROM are not set: links for invitations are shown instead of sent.',
  MAIL_FAILING: 'The mail server {{server}} answers, but has refused some mails: {{number}}.',
  MAIL_REFUSED: 'The mail server {{server}} refuses Portico.',
  MAIL_NO_SMTPUTF8: 'The mail server {{server}} accepts only ASCII in addresses.',
  MAIL_UNREACHABLE: 'The mail server {{server}} cannot be reached: check SMTP_URL and the firewall.',
  MAIL_TLS: 'The TLS certificate of the mail server {{server}} is not trusted: check it and SMTP_SECURITY.',
  MAIL_SIGN_IN: 'The mail server {{server}} refuses the user or the password of SMTP_URL.',
  MAIL_BUSY: 'The mail server {{server}} is busy: try again later.',
  MAIL_UNSURE: 'The mail server {{server}} closed the connection early.',
  WEBHOOKS: 'The last message of every webhook has arrived.',
  WEBHOOKS_FAILING: 'The last message did not arrive: {{names}}. See the logs under Webhooks.',
  BACKUP: 'The last backup is from {{time}}.',
  BACKUP_NONE: 'There is no backup yet.',
  BACKUP_ADVICE: 'Let Portico make one every day (docs/backup.md).',
  BACKUP_ELSEWHERE: 'Portico makes no backup here, and does not see those of pg_dump (docs/backup.md).',
  SERVER: '{{url}} answers, and is ready.',
  SERVER_NOT_READY: 'The server at {{url}} is not ready ({{status}}): its log says why.',
  SERVER_OTHER:
    'Something else answers at {{url}} ({{status}}): let the proxy forward this address to Portico.',
  HEADERS: 'The proxy passes on the Host of requests and the headers of answers.',
  HEADERS_HOST:
    'The proxy sends another Host than PUBLIC_URL has: let it keep the Host of the browser (docs/proxy.md).',
  HEADERS_LOST: 'The proxy removes {{names}} from answers. These headers protect people: let them through.',
  BODIES: 'Requests of up to {{size}} pass the proxy.',
  BODIES_REPORT:
    'The proxy refuses a body of {{size}} ({{status}}), as of a report with a screenshot: raise its limit (docs/proxy.md).',
  BODIES_SOURCE_MAP:
    'The proxy refuses a body of {{size}} ({{status}}), as of the largest source map: raise its limit (docs/proxy.md).',
  STREAMS: 'A stream of changes begins at once.',
  STREAMS_HELD:
    'The proxy holds streams back: changes arrive late. Switch its buffering off (docs/proxy.md).',
  WEBSOCKETS: 'A WebSocket reaches Portico, as applications behind the gateway need it.',
  WEBSOCKETS_NONE:
    'The proxy does not pass WebSockets on, which applications behind the gateway may need (docs/proxy.md).',
  SIGN_IN: 'People sign in at the embedded provider.',
} as const;

/** The outcome of a check, and what was found and what to do. */
export type Found = {
  outcome: StepOutcome;
  findings: { key: keyof typeof sentences; values: Record<string, string> }[];
  message: string;
};
type Values = Record<string, string | number>;
export type Sentence = keyof typeof sentences | readonly [keyof typeof sentences, Values];

export function found(outcome: StepOutcome, ...said: readonly Sentence[]): Found {
  const findings = said.map((sentence) => {
    const [key, values = {}] = typeof sentence === 'string' ? [sentence] : sentence;
    return {
      key,
      values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])),
    };
  });
  const written = findings.map(({ key, values }) =>
    sentences[key].replaceAll(/\{\{(\w+)\}\}/g, (_placeholder, name: string) => values[name] ?? ''),
  );
  return { outcome, findings, message: written.join(' ') };
}

/** What only the English words of an error or of another part tell. */
export const foundInEnglish = (outcome: StepOutcome, message: string): Found => ({
  outcome,
  findings: [],
  message,
});
