import { type RefObject, useEffect, useRef, useState } from 'react';

/**
 * Pictures that are pasted or dropped while this part is shown, wherever in its dialog the focus is. Text that is pasted into a
 * field stays text, even where a picture of it comes along.
 *
 * @returns whether files are held over the page
 */
export function useIncomingFiles(root: RefObject<HTMLElement | null>, take: (file: File) => void): boolean {
  const [held, setHeld] = useState(false);
  const latest = useRef(take);
  useEffect(() => {
    latest.current = take;
  });

  useEffect(() => {
    const page = root.current?.ownerDocument;
    if (page === undefined) return undefined;

    function onPaste(event: ClipboardEvent): void {
      const picture = pictureIn(event.clipboardData);
      if (event.defaultPrevented || picture === null) return;
      if (isTextField(event.composedPath()[0]) && event.clipboardData?.types.includes('text/plain') === true)
        return;
      event.preventDefault();
      latest.current(picture);
    }
    function onDragOver(event: DragEvent): void {
      if (event.dataTransfer?.types.includes('Files') !== true) return;
      // Without this the browser opens the file in place of the page, and what was typed is gone.
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      setHeld(true);
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
      latest.current(file);
    }

    page.addEventListener('paste', onPaste);
    page.addEventListener('dragover', onDragOver);
    page.addEventListener('dragleave', onDragLeave);
    page.addEventListener('drop', onDrop);
    return () => {
      page.removeEventListener('paste', onPaste);
      page.removeEventListener('dragover', onDragOver);
      page.removeEventListener('dragleave', onDragLeave);
      page.removeEventListener('drop', onDrop);
    };
  }, [root]);

  return held;
}

function pictureIn(data: DataTransfer | null): File | null {
  return [...(data?.files ?? [])].find((file) => file.type.startsWith('image/')) ?? null;
}

function isTextField(target: EventTarget | undefined): boolean {
  if (target instanceof HTMLInputElement) return target.type !== 'file';
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLElement && target.isContentEditable);
}
