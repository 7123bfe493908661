import { createHash } from 'node:crypto';
import { feedbackLimits, report } from '@portico/contract/feedback';
import * as z from 'zod/mini';
import type { ReportToStore } from '../../feedback/store-report.ts';
import { asObject, readEventId, type Json } from './envelope.ts';
import { userAgentOf } from './event.ts';
import { badEnvelope, IntakeProblem } from './intake-problem.ts';
import { isSecretName, withoutSecrets } from './secrets.ts';
import { lineOf, proseOf } from './text-of.ts';

const source = 'sentry';

/**
 * Feedback as a report for the inbox: what the person wrote as it is, and what the SDK sent along within
 * bounds and without secrets.
 *
 * @param eventId of the envelope: the same one again stores nothing
 * @throws IntakeProblem BAD_ENVELOPE, TOO_LARGE
 */
export function reportOfFeedback(event: Json, eventId: string): ReportToStore {
  const feedback = asObject(asObject(event['contexts'])?.['feedback']);
  if (feedback === null) throw badEnvelope('feedback has no contexts.feedback');
  const user = asObject(event['user']);
  const email = lineOf(feedback['contact_email'], 300) || lineOf(user?.['email'], 300);
  return checked({
    ...emailOrTag(email, { ...tagsOf(event), ...tag('environment', event['environment']) }),
    name: lineOf(feedback['name'], feedbackLimits.name) || lineOf(user?.['username'], feedbackLimits.name),
    message: feedback['message'],
    url: withoutSecrets(lineOf(feedback['url'] ?? asObject(event['request'])?.['url'], 2_048)),
    associatedEventId: readEventId(feedback['associated_event_id']) ?? undefined,
    eventId,
    context: compact({
      release: lineOf(event['release'], 200),
      browser: userAgentOf(event),
      time: timeOf(event['timestamp']),
    }),
  });
}

/**
 * A user report of older SDKs, which names the error that it is about. It has no id of its own: the same text
 * about the same error is the same report.
 *
 * @throws IntakeProblem BAD_ENVELOPE, TOO_LARGE
 */
export function reportOfUserReport(sent: Json): ReportToStore {
  const errorId = readEventId(sent['event_id']);
  const content = JSON.stringify([source, errorId, sent['email'], sent['name'], sent['comments']]);
  return checked({
    ...emailOrTag(lineOf(sent['email'], 300), {}),
    name: lineOf(sent['name'], feedbackLimits.name),
    message: sent['comments'],
    url: '',
    associatedEventId: errorId ?? undefined,
    eventId: createHash('sha256').update(content).digest('hex').slice(0, 32),
    context: {},
  });
}

function checked(fields: { message: unknown } & Record<string, unknown>): ReportToStore {
  const message = proseOf(fields.message, feedbackLimits.message + 1);
  if (message === '') throw badEnvelope('feedback has no message');
  if (message.length > feedbackLimits.message) {
    throw new IntakeProblem('TOO_LARGE', `A message has at most ${feedbackLimits.message} characters.`);
  }
  const { attachments: _none, ...read } = z.parse(report, { ...compact(fields), message, source });
  return read;
}

/** What is no email address stands among the tags, where it can still be read. */
function emailOrTag(text: string, tags: Record<string, string>) {
  const { success } = z.safeParse(report.shape.email, text);
  return success ? { email: text, tags } : { tags: { ...tags, ...tag('contact', text) } };
}

function tag(name: string, value: unknown): Record<string, string> {
  const text = lineOf(value, 200);
  return text === '' ? {} : { [name]: text };
}

function tagsOf(event: Json): Record<string, string> {
  const pairs = Object.entries(asObject(event['tags']) ?? {})
    .slice(0, feedbackLimits.tags - 2)
    .map(([name, value]): [string, string] => {
      const plain = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
      return [lineOf(name, 64), withoutSecrets(lineOf(plain, 200))];
    });
  return Object.fromEntries(
    pairs.filter(([name]) => name !== '' && name !== '__proto__' && !isSecretName(name)),
  );
}

/** Seconds since 1970, as SDKs send it, in whole milliseconds. */
function timeOf(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 && value < 1e11 ? Math.round(value * 1000) : undefined;
}

function compact(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''),
  );
}
