import { createHash } from 'node:crypto';
import { feedbackLimits, report } from '#features/feedback/contract/feedback.ts';
import * as z from 'zod/mini';
import type { ReportToStore } from '#features/feedback/server/store-report.ts';
import { isBlank } from '#contract/text.ts';
import { asObject, readEventId, readTime, type Json } from './envelope.ts';
import { userAgentOf } from './event.ts';
import { badEnvelope } from './intake-problem.ts';
import { textPairs } from './sample.ts';
import { isSecretName, withoutSecrets } from './secrets.ts';
import { cut, lineOf, markedProseOf, proseOf } from './text-of.ts';

const source = 'sentry';

/** Characters that are read of a message that is not a string. */
const mostOfObject = 20_000;

/** Tags that Portico adds itself: environment, contact, cut and dropped. */
const ownTags = 4;

/**
 * Feedback as a report for the inbox: what the person wrote, and what the SDK sent with it, within limits and
 * without secrets. Texts that are too long are cut and marked with `…`; the tag `cut` has the length of a message
 * that was cut.
 *
 * @param eventId of the envelope: a second report with the same id is not stored
 * @throws IntakeProblem BAD_ENVELOPE for feedback without a message
 */
export function reportOfFeedback(event: Json, eventId: string): ReportToStore {
  const sent = asObject(event['contexts'])?.['feedback'];
  const feedback = asObject(sent) ?? { message: sent };
  const user = asObject(event['user']);
  const email = lineOf(feedback['contact_email'], 300) || lineOf(user?.['email'], 300);
  return checked({
    ...emailOrTag(email, { ...tagsOf(event), ...tag('environment', event['environment']) }),
    name: nameOf(feedback['name']) || nameOf(user?.['username']),
    message: feedback['message'],
    // What stands for a secret may be longer than the secret.
    url: cut(withoutSecrets(lineOf(feedback['url'] ?? asObject(event['request'])?.['url'], 2_048)), 2_048),
    associatedEventId: readEventId(feedback['associated_event_id']) ?? undefined,
    eventId,
    context: compact({
      release: lineOf(event['release'], 200),
      browser: userAgentOf(event),
      time: millisecondsOf(event['timestamp']),
    }),
  });
}

/**
 * A user report of older SDKs, which names the error that it is about. It has no id of its own: the same text
 * about the same error is the same report.
 *
 * @throws IntakeProblem BAD_ENVELOPE for a report without a message
 */
export function reportOfUserReport(sent: Json): ReportToStore {
  const errorId = readEventId(sent['event_id']);
  const content = JSON.stringify([source, errorId, sent['email'], sent['name'], sent['comments']]);
  return checked({
    ...emailOrTag(lineOf(sent['email'], 300), {}),
    name: nameOf(sent['name']),
    message: sent['comments'],
    url: '',
    associatedEventId: errorId ?? undefined,
    eventId: createHash('sha256').update(content).digest('hex').slice(0, 32),
    context: {},
  });
}

function checked(
  fields: { message: unknown; tags: Record<string, string> } & Record<string, unknown>,
): ReportToStore {
  const isText = typeof fields.message === 'string';
  const whole = proseOf(fields.message, isText ? Number.POSITIVE_INFINITY : mostOfObject);
  if (isBlank(whole)) throw badEnvelope('feedback has no message');
  const message = markedProseOf(whole, feedbackLimits.message);
  const tags =
    whole.length > feedbackLimits.message
      ? { ...fields.tags, cut: `message of ${whole.length} characters` }
      : fields.tags;
  const { attachments: _none, ...read } = z.parse(report, {
    ...compact({ ...fields, tags }),
    message,
    source,
  });
  return read;
}

function nameOf(value: unknown): string {
  return markedProseOf(lineOf(value, feedbackLimits.name + 1), feedbackLimits.name);
}

/** The email; a text that is no email address becomes the tag `contact`, so that it can still be read. */
function emailOrTag(text: string, tags: Record<string, string>) {
  const { success } = z.safeParse(report.shape.email, text);
  return success ? { email: text, tags } : { tags: { ...tags, ...tag('contact', text) } };
}

function tag(name: string, value: unknown): Record<string, string> {
  const text = lineOf(value, 200);
  return text === '' ? {} : { [name]: text };
}

function tagsOf(event: Json): Record<string, string> {
  const pairs = textPairs(event['tags'], feedbackLimits.tags - ownTags, 200);
  return Object.fromEntries(pairs.filter(([name]) => name !== '__proto__' && !isSecretName(name)));
}

/** A time in whole milliseconds, the unit of times in reports. */
function millisecondsOf(value: unknown): number | undefined {
  const seconds = readTime(value);
  return seconds === null ? undefined : Math.round(seconds * 1000);
}

function compact(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''),
  );
}
