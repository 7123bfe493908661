import { exportAudit } from '@portico/contract/audit';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useApi } from '../../platform/contexts.tsx';
import { type AuditFilter, filterQuery } from './audit-queries.ts';

export type ExportFormat = 'csv' | 'jsonl';

/** Half an hour: what is exported may be years. */
const patience = 30 * 60_000;

/** Saves what the filter finds as a file, and counts the bytes that have come. */
export function useExport(filter: AuditFilter, timeZone: string, onSaved: () => void) {
  const api = useApi();
  const [received, setReceived] = useState(0);
  const stop = useRef<AbortController | null>(null);
  const saving = useMutation({
    async mutationFn(format: ExportFormat) {
      const aborting = new AbortController();
      stop.current = aborting;
      setReceived(0);
      const query = { ...filterQuery(filter, timeZone), format };
      const { signal } = aborting;
      const bytes = await api
        .download(exportAudit, { query }, { signal, patience, onReceived: setReceived })
        .catch((error: unknown) => {
          if (signal.aborted) return null;
          throw error;
        });
      if (bytes === null) return;
      save(bytes, `portico-audit-${new Date().toISOString().slice(0, 10)}.${format}`);
      onSaved();
    },
  });
  return { saving, received, cancel: () => stop.current?.abort() };
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
