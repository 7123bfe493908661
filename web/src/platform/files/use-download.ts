import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';

/** Half an hour: the download may cover years, or hold many pictures. */
const timeout = 30 * 60_000;

/**
 * Saves the result of `load` as a file and counts the received bytes. The file name is `name`, day and extension.
 *
 * @param load loads the bytes for the extension (`ending`) that is chosen at the start
 */
export function useDownload<Ending extends string>(
  name: string,
  load: (
    ending: Ending,
    options: { signal: AbortSignal; timeout: number; onReceived: (bytes: number) => void },
  ) => Promise<Blob>,
) {
  const [received, setReceived] = useState(0);
  const stop = useRef<AbortController | null>(null);
  const saving = useMutation({
    async mutationFn(ending: Ending) {
      const aborting = new AbortController();
      stop.current = aborting;
      setReceived(0);
      const { signal } = aborting;
      const bytes = await load(ending, { signal, timeout, onReceived: setReceived }).catch(
        (error: unknown) => {
          if (signal.aborted) return null;
          throw error;
        },
      );
      if (bytes === null) return 'cancelled' as const;
      save(bytes, `${name}-${new Date().toISOString().slice(0, 10)}.${ending}`);
      return 'saved' as const;
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
  // By then the browser has read the address.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
