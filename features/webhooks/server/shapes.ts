import * as z from 'zod/mini';
import {
  webhookEvent,
  type WebhookLanguage,
  type WebhookShape,
} from '#features/webhooks/contract/webhooks.ts';
import { flagChanges, messageWords } from './message-words.ts';

/** What decides how an event is worded. */
export type Words = { shape: WebhookShape; language: WebhookLanguage };

type Message = {
  event: string;
  /** ISO 8601. */
  at: string;
  title: string;
  lines: string[];
  link: string;
  tone: 'info' | 'good' | 'warning' | 'bad';
  /** A key that is the same for all messages about one thing. */
  about: string;
  /** What PagerDuty does with the incident. */
  incident: 'trigger' | 'acknowledge' | 'resolve';
  open: string;
};

/** Of all lines together: a card of Teams may have 28 kB, whatever is escaped in it. */
const charactersAtMost = 3_000;
const lineAtMost = 600;

const storedEvent = z.object({ type: webhookEvent, timestamp: z.string(), data: z.unknown() });

/** The data of an event that a message uses. Nothing is required, since erasure may have rewritten texts. */
const saidEvent = z.extend(storedEvent, {
  data: z.object({
    window: z.optional(
      z.object({
        id: z.string(),
        title: z.string(),
        startsAt: z.number(),
        endsAt: z.number(),
        timeZone: z.nullable(z.string()),
        phase: z.optional(z.string()),
      }),
    ),
    mode: z.optional(z.enum(['off', 'read-only', 'full'])),
    text: z.optional(z.string()),
    errors: z.optional(
      z.array(
        z.object({
          id: z.string(),
          project: z.object({ name: z.string() }),
          kind: z.string(),
          message: z.string(),
          place: z.string(),
          url: z.string(),
        }),
      ),
    ),
    more: z.optional(z.number()),
    rate: z.optional(z.object({ events: z.number(), minutes: z.number() })),
    id: z.optional(z.string()),
    key: z.optional(z.string()),
    change: z.optional(z.enum(flagChanges)),
    coverage: z.optional(z.number()),
    number: z.optional(z.number()),
    name: z.optional(z.string()),
    message: z.optional(z.string()),
    status: z.optional(z.string()),
    from: z.optional(z.string()),
    link: z.optional(z.string()),
    by: z.optional(z.nullable(z.string())),
  }),
});
type SaidEvent = z.infer<typeof saidEvent>;

/** A message without its details is better than none: what is not as expected here must not hold up the rest. */
function readEvent(body: string): SaidEvent {
  const stored = storedEvent.parse(JSON.parse(body));
  return saidEvent.safeParse(stored).data ?? { ...stored, data: {} };
}

/** An event in words, and who did it where that is known. */
export function readMessage(
  body: string,
  language: WebhookLanguage,
  publicUrl: string,
): Pick<Message, 'title' | 'lines' | 'link'> & { by: string | null | undefined } {
  const event = readEvent(body);
  return { ...messageOf(event, language, publicUrl), by: event.data.by };
}

/**
 * An event in the form that the receiver of a shape expects.
 *
 * @param body the event as JSON, as it is stored
 * @param key the integration key of PagerDuty; left out where people only look at the message
 */
export function shaped(
  body: string,
  { shape, language }: Words,
  publicUrl: string,
  key?: string,
): { body: string; contentType: string } {
  if (shape === 'standard') return { body, contentType: 'application/json' };
  const message = messageOf(readEvent(body), language, publicUrl);
  if (shape === 'text') {
    const { title, lines, link } = message;
    return { body: [title, ...lines, link].join('\n'), contentType: 'text/plain; charset=utf-8' };
  }
  const json =
    shape === 'pagerduty' ? { routing_key: key, ...pagerDuty(message, publicUrl) } : chats[shape](message);
  return { body: JSON.stringify(json), contentType: 'application/json' };
}

/** As `shaped`; null for an event that cannot be read, such as one of a later release. */
export function shapedOrNull(...event: Parameters<typeof shaped>): ReturnType<typeof shaped> | null {
  try {
    return shaped(...event);
  } catch {
    return null;
  }
}

function messageOf(
  { type, timestamp, data }: SaidEvent,
  language: WebhookLanguage,
  publicUrl: string,
): Message {
  const words = messageWords[language];
  const { window, text, errors = [], number, status, key, mode = 'off' } = data;
  const [first] = errors;
  const notice = mode === 'off' && text !== undefined && text !== '' ? 'notice' : mode;
  const heading = type === 'maintenance.switched' ? words.switched[notice] : words.titles[type];
  const named =
    window?.title ?? first?.project.name ?? key ?? (number === undefined ? '' : words.report(number));
  const lines = [
    ...(window === undefined ? [] : [rangeOf(window, language)]),
    ...(data.rate === undefined ? [] : [words.often(data.rate.events, data.rate.minutes)]),
    ...errors.map((error) => [`${error.kind}: ${error.message}`, error.place].filter(Boolean).join(' · ')),
    ...(data.more === undefined || data.more === 0 ? [] : [words.more(data.more)]),
    status === undefined ? '' : (words.statuses[status] ?? status),
    data.change === undefined ? '' : words.flag[data.change],
    data.coverage === undefined
      ? ''
      : data.coverage.toLocaleString(language, { style: 'percent', maximumFractionDigits: 2 }),
    data.name ?? '',
    data.message ?? '',
    // A window without a text shows its title.
    text === undefined || text === window?.title ? '' : text,
  ];
  const area = type.split('.', 1)[0] ?? type;
  return {
    event: type,
    at: timestamp,
    title: cut(named === '' ? heading : `${heading}: ${named}`, 120).replaceAll('\n', ' '),
    lines: withinLimits(lines),
    link: first?.url ?? data.link ?? `${publicUrl}${area === 'maintenance' ? '/maintenance' : '/webhooks'}`,
    tone: toneOf(type, notice),
    about: [
      // A proposal settles nothing that a guard has found.
      type === 'flag.proposal' ? 'proposal' : area,
      window?.id ?? first?.id ?? data.id ?? key ?? (/held-open|let-go/.test(type) ? 'file' : 'switch'),
    ].join(':'),
    incident:
      /ended|cancelled|let-go|flag\.changed/.test(type) ||
      window?.phase === 'ended' ||
      (type === 'maintenance.switched' && notice === 'off') ||
      ['resolved', 'closed', 'duplicate', 'spam', 'approved', 'declined'].includes(status ?? '')
        ? 'resolve'
        : data.from === 'operator'
          ? 'acknowledge'
          : 'trigger',
    open: words.open,
  };
}

function toneOf(type: SaidEvent['type'], mode: string): Message['tone'] {
  if (type === 'maintenance.switched')
    return mode === 'off' ? 'good' : mode === 'notice' ? 'info' : 'warning';
  if (/error|overdue|held/.test(type)) return 'bad';
  if (/imminent|active/.test(type)) return 'warning';
  return /ended|cancelled/.test(type) ? 'good' : 'info';
}

function rangeOf(
  { startsAt, endsAt, timeZone }: NonNullable<SaidEvent['data']['window']>,
  language: WebhookLanguage,
): string {
  return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone: timeZone ?? 'UTC',
  }).formatRange(startsAt, endsAt);
}

function withinLimits(lines: readonly string[]): string[] {
  let left = charactersAtMost;
  const kept: string[] = [];
  for (const line of lines) {
    const text = cut(line, Math.min(lineAtMost, left));
    if (text.trim() === '') continue;
    kept.push(text);
    left -= text.length;
  }
  return kept;
}

/** Cuts a text to at most `most` characters, and replaces control characters except line breaks with spaces. */
function cut(text: string, most: number): string {
  const clean = text.replaceAll(/(?!\n)\p{Cc}/gu, ' ').toWellFormed();
  return clean.length <= most
    ? clean
    : `${clean.slice(0, Math.max(0, most - 1)).toWellFormed()}…`.slice(0, most);
}

// People who report write into these messages: what they wrote must neither call a whole channel nor hide where a
// link leads. Slack's plain text and the runs of a card know no marks; the other places are escaped.

const chats = {
  /** https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
  slack({ title, lines, link, open }: Message) {
    const escaped = (text: string) =>
      text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    const plain = (text: string) => ({ type: 'plain_text', text, emoji: false });
    const body = cut(lines.join('\n'), 3_000);
    return {
      text: escaped(title),
      blocks: [
        { type: 'header', text: plain(title) },
        ...(body === '' ? [] : [{ type: 'section', text: plain(body) }]),
        { type: 'section', text: { type: 'mrkdwn', text: `<${escaped(link)}|${open}>` } },
      ],
    };
  },

  /** A card for a workflow of Teams, https://learn.microsoft.com/adaptive-cards. */
  teams({ title, lines, link, tone, open }: Message) {
    const colors = { info: 'default', good: 'good', warning: 'warning', bad: 'attention' };
    const run = (text: string, more = {}) => ({
      type: 'RichTextBlock',
      inlines: [{ type: 'TextRun', text, ...more }],
    });
    return {
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.4',
            body: [
              run(title, { weight: 'bolder', size: 'medium', color: colors[tone] }),
              ...lines.map((line) => run(line)),
            ],
            actions: [{ type: 'Action.OpenUrl', title: open, url: link }],
          },
        },
      ],
    };
  },

  /** https://discord.com/developers/docs/resources/webhook#execute-webhook */
  discord({ title, lines, link, tone, at }: Message) {
    const colors = { info: 0x5b6b7b, good: 0x2e7d32, warning: 0xb26a00, bad: 0xc62828 };
    const escaped = (text: string) => text.replaceAll(/[\\*_~`|<>[\]()#@-]/g, String.raw`\$&`);
    return {
      embeds: [
        {
          title: cut(escaped(title), 256),
          description: cut(lines.map(escaped).join('\n'), 4_000),
          url: link,
          color: colors[tone],
          timestamp: at,
        },
      ],
      allowed_mentions: { parse: [] },
    };
  },
};

/** https://developer.pagerduty.com/docs/events-api-v2 */
function pagerDuty(
  { event, at, title, lines, link, tone, about, incident, open }: Message,
  publicUrl: string,
) {
  const severities = { info: 'info', good: 'info', warning: 'warning', bad: 'error' };
  return {
    event_action: incident,
    dedup_key: `portico:${about}`,
    payload: {
      summary: title,
      source: new URL(publicUrl).host,
      severity: severities[tone],
      timestamp: at,
      class: event,
      custom_details: { text: lines.join('\n') },
    },
    links: [{ href: link, text: open }],
  };
}

/** Events of the three kinds that come most often. */
export function exampleEvents(now: number, publicUrl: string, language: WebhookLanguage): SaidEvent[] {
  const timestamp = new Date(now).toISOString();
  const examples = {
    en: { text: 'The list stays empty after I sign in.', title: 'New database', project: 'Shop' },
    de: { text: 'Nach der Anmeldung bleibt die Liste leer.', title: 'Neue Datenbank', project: 'Shop' },
    fr: { text: 'La liste reste vide après la connexion.', title: 'Nouvelle base', project: 'Boutique' },
  };
  const { text, title, project } = examples[language];
  const startsAt = Math.ceil(now / 3_600_000) * 3_600_000 + 24 * 3_600_000;
  const window = { id: 'example', title, startsAt, endsAt: startsAt + 3_600_000, timeZone: 'UTC' };
  const error = {
    id: 'example',
    project: { name: project },
    kind: 'TypeError',
    message: 'Cannot read properties of undefined',
    place: 'assets/main.js · renderCart',
    url: `${publicUrl}/diagnostics/example`,
  };
  const report = { id: 'example', number: 128, name: 'Ada', message: text };
  return [
    { type: 'diagnostics.error-new', timestamp, data: { errors: [error], more: 0 } },
    { type: 'report.created', timestamp, data: { ...report, link: `${publicUrl}/reports?report=example` } },
    { type: 'maintenance.scheduled', timestamp, data: { window } },
  ];
}
