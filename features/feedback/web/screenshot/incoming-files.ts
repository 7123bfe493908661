import { useEffect, useState } from 'react';

/** Pictures from outside the dialog. */
export type Incoming = {
  /** The last picture that was pasted, or file that was dropped. */
  readonly incoming: File | null;
  /** Files are being dragged over the document. */
  readonly held: boolean;
};

/**
 * Pictures that are pasted or dropped while the dialog is open, wherever in it the focus is. Text that is
 * pasted into a field stays text, even if the clipboard also holds a picture of it.
 *
 * @param locked nothing can be changed now: new pictures are ignored
 */
export function useIncomingFiles(locked: boolean): Incoming {
  const [incoming, setIncoming] = useState<File | null>(null);
  const [held, setHeld] = useState(false);

  useEffect(() => {
    function onPaste(event: ClipboardEvent): void {
      const picture = pictureIn(event.clipboardData);
      if (locked || event.defaultPrevented || picture === null) return;
      if (isTextField(event.composedPath()[0]) && event.clipboardData?.types.includes('text/plain') === true)
        return;
      event.preventDefault();
      setIncoming(picture);
    }
    function onDragOver(event: DragEvent): void {
      if (event.dataTransfer?.types.includes('Files') !== true) return;
      // Otherwise the browser would open the file instead of the page, and what was typed would be lost.
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      setHeld(!locked);
    }
    function onDragLeave(event: DragEvent): void {
      if (event.relatedTarget === null) setHeld(false);
    }
    function onDrop(event: DragEvent): void {
      setHeld(false);
      const files = event.dataTransfer?.files;
      const file = pictureIn(event.dataTransfer) ?? files?.[0];
      if (file === undefined) return;
      event.preventDefault();
      if (!locked) setIncoming(file);
    }

    const closing = new AbortController();
    const { signal } = closing;
    document.addEventListener('paste', onPaste, { signal });
    document.addEventListener('dragover', onDragOver, { signal });
    document.addEventListener('dragleave', onDragLeave, { signal });
    document.addEventListener('drop', onDrop, { signal });
    return () => closing.abort();
  }, [locked]);

  return { incoming, held };
}

function pictureIn(data: DataTransfer | null): File | null {
  return [...(data?.files ?? [])].find((file) => file.type.startsWith('image/')) ?? null;
}

function isTextField(target: EventTarget | undefined): boolean {
  if (target instanceof HTMLInputElement) return target.type !== 'file';
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLElement && target.isContentEditable);
}
