import { exportPerson } from '@portico/contract/erasure';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../platform/contexts.tsx';
import { useFormats } from '../../platform/i18n/formats-context.tsx';
import { problemText } from '../../platform/problem-text.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { notify } from '../../ui/notifications/notifications.ts';
import './erasure.css';

/** Half an hour: somebody may have sent many pictures. */
const patience = 30 * 60_000;
const megabyte = 1_000_000;

type DownloadDataProps = {
  /** `current`, or an id. */
  userId: string;
  label: string;
};

/** Saves everything that is kept about a person as one file, and tells how far that is. */
export function DownloadData({ userId, label }: DownloadDataProps) {
  const { t } = useTranslation();
  const api = useApi();
  const formats = useFormats();
  const [received, setReceived] = useState(0);
  const stop = useRef<AbortController | null>(null);
  const download = useMutation({
    async mutationFn() {
      const aborting = new AbortController();
      stop.current = aborting;
      setReceived(0);
      const { signal } = aborting;
      const bytes = await api
        .download(exportPerson, { params: { userId } }, { signal, patience, onReceived: setReceived })
        .catch((error: unknown) => {
          if (signal.aborted) return null;
          throw error;
        });
      if (bytes === null) return;
      save(bytes, `portico-data-${new Date().toISOString().slice(0, 10)}.zip`);
      notify({ kind: 'success', title: t('ERASURE.DOWNLOAD.DONE') });
    },
  });
  return (
    <div className="download-data">
      <Button icon="download" busy={download.isPending} onClick={() => download.mutate()}>
        {label}
      </Button>
      <div role="status">
        {download.isPending ? (
          <p className="download-data-progress">
            <span>
              {t('ERASURE.DOWNLOAD.PROGRESS', { size: formats.number(Math.floor(received / megabyte)) })}
            </span>
            <Button small tone="quiet" onClick={() => stop.current?.abort()}>
              {t('COMMON.CANCEL')}
            </Button>
          </p>
        ) : null}
      </div>
      {download.isError ? (
        <Notice severity="high" role="alert" title={t('ERASURE.DOWNLOAD.FAILED')}>
          {problemText(t, download.error)}
        </Notice>
      ) : null}
    </div>
  );
}

function save(bytes: Blob, name: string): void {
  const address = URL.createObjectURL(bytes);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken the address by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
