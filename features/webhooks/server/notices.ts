import {
  getOwnNotices,
  noticeRights,
  type OwnNotices,
  setOwnNotices,
  type WebhookArea,
} from '#features/webhooks/contract/webhooks.ts';
import type { Core } from '#server/core.ts';
import { startOutbox } from '#server/platform/database/outbox.ts';
import type { AccessControl } from '#server/platform/http/access-check.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { composeMail } from '#features/mail/server/compose-mail.ts';
import type { Composed, Mail } from '#features/mail/server/mail.ts';
import type { MailJob, MailLanguage } from '#features/mail/server/mail.store.ts';
import * as store from './notices.store.ts';
import { readMessage } from './shapes.ts';

const kind = 'notice';
/** Events that a mail lists. */
const mostListed = 20;
const lookEveryMs = 5_000;
const peopleAtOnce = 50;

type NoticeParts = {
  mail: Mail | null;
  rightsOf: AccessControl['rightsOf'];
  /** The rights of a person now, or null where there is no such person. */
  ofPerson(personId: string): RightsNow | Promise<RightsNow | null>;
  branding: { look(): { product: string } };
};
type RightsNow = { readonly set: ReadonlySet<string> };

/** Mails about the events that each person has chosen (CON-8). */
export function createNotices(core: Core, { mail, rightsOf, ofPerson, branding }: NoticeParts) {
  const { database, clock, config, logger } = core;
  const { read } = database;
  const answer = (choice: Omit<OwnNotices, 'mail'>): OwnNotices => ({ ...choice, mail: mail !== null });

  /** A mail lists the events that the person may see when it is sent and that they did not cause themselves. */
  async function compose({ about, language }: MailJob): Promise<Composed | null> {
    const { personId, ...span } = JSON.parse(about ?? '{}') as {
      personId: string;
      since: number;
      until: number;
    };
    const person = await read
      .selectFrom('person')
      .innerJoin('profile', 'profile.person_id', 'person.id')
      .select(['email', 'locale'])
      .where('person.id', '=', personId)
      .where('blocked_at', 'is', null)
      .executeTakeFirst();
    if (person === undefined || person.email === '') return null;
    const rights = (await ofPerson(personId))?.set;
    const { areas } = await store.readNotices(read, personId);
    const seen = areas.filter((area: WebhookArea) => rights?.has(noticeRights[area]) === true);
    const spoken = (['en', 'de', 'fr'] as const).find((one) => one === person.locale) ?? language;
    const found = (await store.eventsBetween(read, seen, span))
      .map(({ body }) => readMessage(body, spoken, config.publicUrl))
      .filter(({ by }) => by !== person.email);
    const [first] = found;
    if (first === undefined) return null;
    const words = phrases[spoken];
    const { product } = branding.look();
    const listed = found.slice(0, mostListed);
    const link = `${config.publicUrl}/profile#notices`;
    return {
      message: {
        to: person.email,
        ...composeMail({
          language: spoken,
          product,
          address: config.publicUrl,
          subject: found.length === 1 ? first.title : words.subject(found.length),
          parts: [
            ...listed.map(({ title, lines, link: to }) => ({ quote: [title, ...lines, to].join('\n') })),
            ...(found.length > listed.length ? [{ text: words.more(found.length - listed.length) }] : []),
            { text: words.why },
            { action: words.change, link },
          ],
        }),
      },
    };
  }

  mail?.composes({ kinds: [kind], compose });
  const outbox =
    mail === null
      ? null
      : startOutbox({
          database,
          clock,
          rows: { nextDue: store.nextNoticeAt, claim: store.claimNotices, dropClaims: async () => {} },
          // Changes run one after the other: what is stored afterwards makes the person due again.
          send: ({ id }: { id: string }) =>
            database.change(async (change) => {
              const since = await store.noteTold(change, id);
              if (since === null) return;
              const about = JSON.stringify({ personId: id, since, until: change.at });
              await mail.add(change.tx, { kind, language: 'en', about }, change.at);
            }),
          onSendError: (error, { id }) => logger.error({ err: error, personId: id }, 'notice not prepared'),
          logger,
          most: peopleAtOnce,
          failure: 'notices that are due could not be read; it is tried again',
          longestPauseMs: lookEveryMs,
          idlePauseMs: lookEveryMs,
        });

  return {
    routes(serve: Serve) {
      serve(getOwnNotices, async ({ caller }) => answer(await store.readNotices(read, caller.id)));

      serve(setOwnNotices, async ({ caller, body }) => {
        const rights = await rightsOf(caller);
        // An area that was chosen before the right was lost is not in sight, and must not keep the others from changing.
        const { areas } = await store.readNotices(read, caller.id);
        const added = body.areas.filter((area) => !areas.includes(area));
        const missing = added.map((area) => noticeRights[area]).find((right) => !rights.has(right));
        if (missing !== undefined)
          throw new HttpProblem('RIGHT_MISSING', { detail: `This area takes the right ${missing}.` });
        return answer(await database.change((change) => store.writeNotices(change, caller.id, body)));
      });
    },
    sweeps: { 'events of notices': core.sweeping(store.sweepNotices) },
    close: async () => outbox?.close(),
  };
}

type Phrases = {
  subject(count: number): string;
  more(count: number): string;
  why: string;
  change: string;
};

const phrases: Record<MailLanguage, Phrases> = {
  en: {
    subject: (count) => `${count} notices`,
    more: (count) => `… and ${count} more`,
    why: 'You receive this mail because you chose it in your profile, under Notices by email.',
    change: 'Change what you are told',
  },
  de: {
    subject: (count) => `${count} Benachrichtigungen`,
    more: (count) => `… und ${count} weitere`,
    why: 'Sie erhalten diese E-Mail, weil Sie das in Ihrem Profil unter „Benachrichtigungen per E-Mail“ gewählt haben.',
    change: 'Benachrichtigungen ändern',
  },
  fr: {
    subject: (count) => `${count} notifications`,
    more: (count) => `… et ${count} de plus`,
    why: 'Vous recevez cet e-mail parce que vous l’avez choisi dans votre profil, sous « Notifications par e-mail ».',
    change: 'Modifier vos notifications',
  },
};
