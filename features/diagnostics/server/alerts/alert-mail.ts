import * as z from 'zod/mini';
import type { Core } from '#server/core.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { composeMail, type MailPart } from '#features/mail/server/compose-mail.ts';
import type { Composer, Mail } from '#features/mail/server/mail.ts';
import type { MailLanguage } from '#features/mail/server/mail.store.ts';
import { readSettings } from '../settings.store.ts';
import { alertWords } from './alert-mail-text.ts';
import type { Alert, SendAlertMail } from './alerts.ts';
import { alertedError } from './alerted-error.ts';
import { alertedGroups } from './alerts.store.ts';

const kind = 'error-alert';

/** What waits with a mail: which errors it is about, and none of their texts. */
const about = z.object({
  kind: z.enum(['new', 'returned', 'rate']),
  errors: z.array(z.string()),
  more: z.number(),
  rate: z.optional(z.object({ events: z.number(), minutes: z.number() })),
});

/** Alerts by mail, one to each address of the settings, in the language of the person who has it. */
export function createAlertMail(
  { database, config }: Pick<Core, 'database' | 'config'>,
  { mail, productName }: { mail: Pick<Mail, 'add' | 'composes'> | null; productName(): string },
): SendAlertMail {
  const compose: Composer = async ({ email, about: json, language }) => {
    const { read } = database;
    const { alertMails } = await readSettings(read);
    if (email === null || json === null || !alertMails.includes(email)) return null;
    const given = about.parse(JSON.parse(json));
    const groups = await alertedGroups(read, given.errors);
    if (groups.length === 0) return null;
    const errors = groups.map((group) => alertedError(group, config.publicUrl));
    const alert: Alert = { ...given, errors };
    const theirs = await languageOf(read, email, language);
    const words = alertWords(theirs, given.kind, alert);
    const single = errors.length + given.more === 1;
    const parts: MailPart[] = [
      { text: words.lead },
      ...errors.map((error) => ({
        quote: [
          `${error.project.name} · ${error.kind}: ${error.message}`,
          [error.place, error.lastRelease].filter((part) => part !== null && part !== '').join(' · '),
          ...(single ? [] : [error.url]),
        ].join('\n'),
      })),
      ...(words.more === null ? [] : [{ text: words.more }]),
      {
        action: words.open,
        link: single ? (errors[0]?.url ?? '') : `${config.publicUrl}/diagnostics`,
      },
      { text: words.why },
    ];
    const text = composeMail({
      language: theirs,
      subject: words.subject,
      parts,
      product: productName(),
      address: config.publicUrl,
    });
    return { message: { to: email, ...text } };
  };

  mail?.composes({ kinds: [kind], compose });

  return async (change, alertKind, alert, addresses) => {
    if (mail === null) return;
    const { errors, ...rest } = alert;
    const facts: z.infer<typeof about> = { kind: alertKind, ...rest, errors: errors.map(({ id }) => id) };
    for (const email of addresses)
      await mail.add(change.tx, { kind, email, language: 'en', about: JSON.stringify(facts) }, change.at);
  };
}

/** The language of the person with this address; otherwise the installation's first language. */
async function languageOf(read: Reader, email: string, otherwise: MailLanguage): Promise<MailLanguage> {
  const row = await read
    .selectFrom('person')
    .innerJoin('profile', 'profile.person_id', 'person.id')
    .select('locale')
    .where('email', '=', email)
    .where('locale', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  const locale = row?.locale;
  return locale === 'de' || locale === 'fr' || locale === 'en' ? locale : otherwise;
}
