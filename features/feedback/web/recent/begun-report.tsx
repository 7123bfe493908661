import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCurrentUser } from '#web/platform/contexts.tsx';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { findStored } from '../report-place.ts';

type BegunReportProps = {
  /** The form is open. */
  open: boolean;
  onContinue: () => void;
};

/** That this person began a bug report in this browser and has not sent it; nothing where there is none. */
export function BegunReport({ open, onContinue }: BegunReportProps) {
  const { t } = useTranslation();
  const person = useCurrentUser()?.id;
  const [begun, setBegun] = useState(false);
  useEffect(() => {
    let stale = false;
    if (person !== undefined && !open)
      void findStored(person).then(({ draft }) => {
        if (!stale) setBegun(draft);
      });
    return () => {
      stale = true;
    };
  }, [person, open]);
  if (!begun || open) return null;
  return (
    <Notice severity="info">
      <span className="row wrap between">
        <span>{t('RECENT_REPORTS.BEGUN')}</span>
        <Button small onClick={onContinue}>
          {t('RECENT_REPORTS.CONTINUE')}
        </Button>
      </span>
    </Notice>
  );
}
