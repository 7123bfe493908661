import type { FastifyRequest } from 'fastify';
import { intakeLimits } from '#features/diagnostics/contract/intake.ts';
import { asObject, listOf, type Dropped, type Envelope, type Json } from './envelope.ts';
import { badEnvelope } from './intake-problem.ts';
import { lineOf } from './text-of.ts';

const most = { reports: 20, text: 500 };

const ofExtension = /(?:^| )(?:chrome|moz|safari|safari-web|ms-browser)-extension(?::|$| )/;

/**
 * Reads reports of browsers about a page's Content-Security-Policy, by `report-uri` (`application/csp-report`, one
 * violation) or by the Reporting API (`application/reports+json`, a list), as an envelope with an event for each
 * violation. Release and environment are in the address that the application gives to its browsers.
 *
 * @throws IntakeProblem BAD_ENVELOPE
 */
export function readSecurityReports(bytes: Buffer, { query, headers }: FastifyRequest): Envelope {
  const asked = asObject(query) ?? {};
  const dropped: Dropped[] = [];
  const items: Envelope['items'] = [];
  for (const sent of reportsIn(bytes)) {
    const violation = violationIn(sent);
    const name = lineOf(asObject(sent)?.['type'] ?? 'report', 100);
    if (violation === null) dropped.push({ name, reason: 'is not stored here' });
    else if (ofExtension.test(`${String(violation['source-file'])} ${String(violation['blocked-uri'])}`))
      dropped.push({ name, reason: 'comes from an extension of the browser' });
    else if (items.length === most.reports)
      dropped.push({ name, reason: `is more than ${most.reports} reports` });
    else {
      const event = {
        ...eventOf(violation, asObject(sent)?.['user_agent'] ?? headers['user-agent']),
        release: asked['sentry_release'],
        environment: asked['sentry_environment'],
      };
      items.push({ type: 'event', header: {}, payload: Buffer.from(JSON.stringify(event)) });
    }
  }
  return { header: {}, items, dropped, fault: null };
}

function reportsIn(bytes: Buffer): readonly unknown[] {
  if (bytes.length > intakeLimits.event) throw badEnvelope('the reports are too large');
  try {
    return listOf(JSON.parse(bytes.toString())).slice(0, intakeLimits.items);
  } catch {
    throw badEnvelope('it holds no JSON');
  }
}

/** A violation with the names of `report-uri`; fields of the Reporting API, which differ, are renamed. */
function violationIn(sent: unknown): Json | null {
  const report = asObject(sent);
  const older = asObject(report?.['csp-report']);
  if (older !== null) return older;
  const body = report?.['type'] === 'csp-violation' ? asObject(report['body']) : null;
  if (body === null) return null;
  const hyphenated = (name: string) =>
    name.replace('URL', '-uri').replaceAll(/[A-Z]/g, (sign) => `-${sign.toLowerCase()}`);
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [hyphenated(name), value]));
}

function eventOf(violation: Json, userAgent: unknown): Json {
  const text = (name: string) => lineOf(violation[name], most.text);
  const directive = (text('effective-directive') || text('violated-directive')).split(' ')[0] ?? '';
  const blocked = text('blocked-uri');
  const origin =
    URL.canParse(blocked) && /^(?:https?|wss?):/.test(blocked) ? new URL(blocked).origin : blocked;
  const source = text('source-file');
  const frame = { filename: source, lineno: violation['line-number'], colno: violation['column-number'] };
  return {
    platform: 'other',
    logger: 'csp',
    level: text('disposition') === 'report' ? 'warning' : 'error',
    exception: {
      values: [
        {
          type: 'Content-Security-Policy',
          value: `Blocked by ${directive || 'the policy'}: ${origin || 'a script or style in the page'}`,
          ...(source === '' ? {} : { stacktrace: { frames: [frame] } }),
        },
      ],
    },
    culprit: directive,
    fingerprint: ['csp', directive, origin],
    request: {
      url: text('document-uri'),
      headers: { Referer: text('referrer'), 'User-Agent': lineOf(userAgent, most.text) },
    },
    tags: { directive, blocked: origin },
    contexts: { csp: violation },
  };
}
