import type { FullReport } from '#features/feedback/contract/inbox.ts';
import { getIssueTracker } from '#features/feedback/contract/report-settings.ts';
import { browserInWords } from '#contract/rules/browser-in-words.ts';
import { newIssueAddress } from '#features/feedback/contract/new-issue.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { routeQuery } from '#web/platform/calls/route-query.ts';
import { LinkButton } from '#web/ui/button.tsx';
import { base } from '#web/platform/base.ts';
import { browserName } from '#web/platform/browser-name.ts';

/** The query key of the issue tracker; the settings load the query again after a change. */
export const trackerKey = ['report-tracker'] as const;

/** A link to a new issue about the report in the configured tracker, in a new tab; nothing without a tracker. */
export function NewIssue({ report }: { report: FullReport }) {
  const { t } = useTranslation();
  const tracker = useQuery({
    ...routeQuery(trackerKey, getIssueTracker, {}),
    staleTime: 300_000,
  }).data?.tracker;
  if (tracker === undefined || tracker === null) return null;
  const { browser, system } = browserInWords(report.context.browser ?? '');
  const address = newIssueAddress(
    tracker,
    {
      number: report.number,
      excerpt: report.excerpt,
      message: report.message,
      url: report.url,
      release: report.context.release ?? '',
      browser: browser === null || system === null ? '' : browserName(t, { browser, system }),
      link: `${window.location.origin}${base}/reports?${new URLSearchParams({ report: report.id })}`,
    },
    {
      // Without “#”, which a tracker reads as a reference to an issue of its own.
      title: (number, excerpt) => t('REPORTS.TRACKER.ISSUE', { number, excerpt }),
      page: t('REPORTS.REPORT.PAGE'),
      release: t('REPORTS.REPORT.RELEASE'),
      browser: t('REPORTS.REPORT.BROWSER'),
      report: t('REPORTS.REPORT.UNKNOWN'),
    },
  );
  return (
    <LinkButton
      small
      tone="quiet"
      className="report-property"
      icon="external"
      href={address}
      target="_blank"
      rel="noreferrer"
    >
      {t('REPORTS.TRACKER.NEW', { tracker: names[tracker.kind] })}
    </LinkButton>
  );
}

const names = { github: 'GitHub', gitlab: 'GitLab', jira: 'Jira' } as const;
