import { useRef } from 'react';
import { Button } from '#web/ui/button.tsx';
import { canCaptureTab } from './capture-tab.ts';
import type { ScreenshotLabels } from './labels.ts';
import { ToolIcon } from './tool-icon.tsx';

type SourcesProps = {
  labels: ScreenshotLabels;
  /** A picture is being loaded or captured. */
  working: boolean;
  /** A file is being dragged over the page. */
  held: boolean;
  onTab: () => void;
  onFile: (file: File) => void;
};

/** Where a picture can come from. */
export function Sources({ labels, working, held, onTab, onFile }: SourcesProps) {
  const file = useRef<HTMLInputElement>(null);
  const photo = useRef<HTMLInputElement>(null);

  function filesOf(capture: boolean) {
    return (
      <input
        ref={capture ? photo : file}
        type="file"
        accept="image/*"
        capture={capture ? 'environment' : undefined}
        hidden
        aria-label={capture ? labels.takePhoto : labels.chooseFile}
        onChange={(event) => {
          const [chosen] = event.currentTarget.files ?? [];
          // Choosing the same file again is a change again.
          event.currentTarget.value = '';
          if (chosen !== undefined) onFile(chosen);
        }}
      />
    );
  }

  return (
    <div className="shot-sources" data-held={held}>
      <div className="shot-sources-buttons">
        {canCaptureTab() ? (
          <Button aria-disabled={working} onClick={() => (working ? undefined : onTab())}>
            <ToolIcon name="tab" />
            {labels.captureTab}
          </Button>
        ) : null}
        <Button aria-disabled={working} onClick={() => (working ? undefined : file.current?.click())}>
          <ToolIcon name="image" />
          {labels.chooseFile}
        </Button>
        {isPhone() ? (
          <Button aria-disabled={working} onClick={() => (working ? undefined : photo.current?.click())}>
            <ToolIcon name="camera" />
            {labels.takePhoto}
          </Button>
        ) : null}
      </div>
      <p className="shot-hint shot-paste">{labels.pasteHint(pasteKeys())}</p>
      {filesOf(false)}
      {filesOf(true)}
    </div>
  );
}

/** Only a coarse pointer: such a device has a camera at hand, and no keys to paste with. */
function isPhone(): boolean {
  return matchMedia('(hover: none) and (pointer: coarse)').matches;
}

function pasteKeys(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘V' : 'Ctrl+V';
}
