import { browserInWords } from '#contract/rules/browser-in-words.ts';
import { presentTimeZone } from '#contract/time-zones.ts';
import type { FullReport } from '#features/feedback/contract/inbox.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Fragment, type ReactNode } from 'react';
import { browserName } from '#web/platform/browser-name.ts';
import { useCan, useFormats } from '#web/platform/contexts.tsx';
import { HistoryLink } from '#web/platform/lists/history-link.tsx';
import { Button } from '#web/ui/button.tsx';
import { recordWords } from '../record/record-words.ts';
import { FoldedList, Timeline } from '../record/recorded-list.tsx';
import { Face } from '#features/directory/web/person-choice.tsx';
import { Pictures } from '../report/pictures/pictures.tsx';
import { ReportAddress } from '../report/report-address.tsx';
import { senderOf } from './report-list.tsx';
import { RelativeTime } from './conversation.tsx';

/** The reporter, with their text and pictures. */
export function ReportOpening({ report }: { report: FullReport }) {
  const { t } = useTranslation();
  return (
    <article className="stack" aria-label={t('REPORTS.REPORT.MESSAGE')}>
      <header className="talk-head row wrap gap-0-2">
        <Face name={senderOf(report)} />
        <span className="grid">
          <Sender report={report} />
          <span className="dotted row wrap gap-0-2 muted small">
            {report.email === '' || report.name === '' ? null : <span>{report.email}</span>}
            <RelativeTime at={report.createdAt} />
          </span>
        </span>
      </header>
      {report.attachments.length === 0 ? null : (
        <div className="report-pictures" role="group" aria-label={t('REPORTS.REPORT.PICTURES')}>
          <Pictures pictures={report.attachments} />
        </div>
      )}
      {/* What a reporter wrote is shown as plain text. */}
      <p className="report-message measure prose lines breaks" dir="auto">
        {report.message}
      </p>
      {report.url === '' ? null : (
        <p className="muted small">
          <span>{t('REPORTS.REPORT.PAGE')}</span> <ReportAddress url={report.url} />
        </p>
      )}
    </article>
  );
}

function Sender({ report }: { report: FullReport }) {
  const { t } = useTranslation();
  const can = useCan();
  const who = senderOf(report);
  if (report.reporterId === null || !can('PEOPLE_READ')) {
    return who === null ? <span className="muted">{t('REPORTS.UNNAMED')}</span> : <strong>{who}</strong>;
  }
  return (
    <Link to="/people/$personId" params={{ personId: report.reporterId }}>
      <strong>{who ?? t('REPORTS.UNNAMED')}</strong>
    </Link>
  );
}

/** The context of a report, folded, and the parts that are seldom needed. */
export function ReportRest({ report, onDelete }: { report: FullReport; onDelete: () => void }) {
  const { t } = useTranslation();
  const can = useCan();
  const tags = Object.entries(report.tags);
  return (
    <div className="stack">
      <details className="report-technical">
        <summary className="strong">{t('REPORTS.REPORT.CONTEXT')}</summary>
        {tags.length === 0 ? null : (
          <dl className="facts even above-2">
            <dt>{t('REPORTS.REPORT.TAGS')}</dt>
            <dd>
              <ul className="row wrap gap-1-3">
                {tags.map(([key, value]) => (
                  <li key={key}>
                    <span className="muted">{key}</span> {value}
                  </li>
                ))}
              </ul>
            </dd>
          </dl>
        )}
        <ReportContextFacts report={report} />
      </details>
      <div className="report-foot section-divided row gap-3 wrap between">
        <HistoryLink subject={report.id} />
        {can('REPORTS_DELETE') ? (
          <Button tone="danger" small icon="trash" onClick={onDelete}>
            {t('REPORTS.DELETE.OPEN')}
          </Button>
        ) : null}
      </div>
    </div>
  );
}

/** The context of a report, in words; parts that were not sent along are left out. */
function ReportContextFacts({ report }: { report: FullReport }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { context } = report;
  const { release, browser, viewport, language, timeZone, time, sentFrom } = context;
  const words = recordWords(t, formats);
  const isListed = (list: readonly unknown[] | undefined) => list !== undefined && list.length > 0;
  const listOf = (part: 'flags' | 'rights') =>
    isListed(context[part]) ? <FoldedList part={part} words={words} context={context} /> : null;
  const facts: readonly (readonly [name: string, value: ReactNode])[] = [
    ['SENT_FROM', sentFrom && <ReportAddress url={sentFrom} />],
    ['BROWSER', browser && <BrowserWords userAgent={browser} />],
    ['WINDOW', viewport && <WindowWords viewport={viewport} />],
    ['LANGUAGE', language && languageInWords(formats.locale, language)],
    ['TIME_ZONE', timeZone && presentTimeZone(timeZone).replaceAll('_', ' ')],
    ['RELEASE', release],
    ['OWN_TIME', time === undefined ? null : formats.exact(time)],
    [
      'SOURCE',
      report.source === 'widget'
        ? t('REPORTS.REPORT.SOURCES.WIDGET', { button: t('SHELL.REPORT_BUG.TRIGGER') })
        : report.source,
    ],
    ['EVENT', <code key="event">{report.eventId}</code>],
    ['ASSOCIATED', report.associatedEventId && <code>{report.associatedEventId}</code>],
    [
      'TIMELINE',
      [context.breadcrumbs, context.errors, context.failedCalls].some(isListed) && (
        <Timeline words={words} context={context} />
      ),
    ],
    ['FLAGS', listOf('flags')],
    ['RIGHTS', listOf('rights')],
  ];
  return (
    <dl className="facts even above-2">
      {facts.map(([name, value]) =>
        value ? (
          <Fragment key={name}>
            <dt>{t(`REPORTS.REPORT.${name}`)}</dt>
            <dd>{value}</dd>
          </Fragment>
        ) : null,
      )}
    </dl>
  );
}

function BrowserWords({ userAgent }: { userAgent: string }) {
  const { t } = useTranslation();
  const { browser, system } = browserInWords(userAgent);
  if (browser === null || system === null) return userAgent;
  return (
    <>
      {browserName(t, { browser, system })}
      <small className="muted line">{userAgent}</small>
    </>
  );
}

/** Describes a viewport such as `1280 × 720 @2`, as the report has it. */
function WindowWords({ viewport }: { viewport: string }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [, size, ratio] = /^(\d+ × \d+)(?: @(\d+(?:\.\d+)?))?$/.exec(viewport) ?? [];
  if (size === undefined) return viewport;
  if (ratio === undefined || Number(ratio) === 1) return t('REPORTS.REPORT.WINDOW_SIZE', { size });
  return t('REPORTS.REPORT.WINDOW_DENSE', { size, ratio: formats.number(Number(ratio)) });
}

function languageInWords(locale: string, tag: string): string {
  try {
    const name = new Intl.DisplayNames(locale, { type: 'language', fallback: 'none' }).of(tag);
    return name === undefined ? tag : `${name} (${tag})`;
  } catch {
    // It is not a language tag.
    return tag;
  }
}
