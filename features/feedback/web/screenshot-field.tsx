import { type ComponentType, useEffect, useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { FeedbackLabels } from './labels.ts';
import type { ScreenshotProps } from './picture.ts';
import { type Incoming, useIncomingFiles } from './screenshot/incoming-files.ts';
import type { ScreenshotLabels } from './screenshot/labels.ts';

type Part = ComponentType<ScreenshotProps<ScreenshotLabels> & Incoming>;

type ScreenshotFieldProps = {
  labels: FeedbackLabels;
  /** The report is being sent, so nothing can be changed now. */
  locked: boolean;
  part: Omit<ScreenshotProps<ScreenshotLabels>, 'labels'>;
};

/** The picture of the report. Its editor is downloaded when it is wanted, or when the draft has a picture. */
export function ScreenshotField({ labels, locked, part }: ScreenshotFieldProps) {
  const [Loaded, setLoaded] = useState<{ Screenshot: Part } | null>(null);
  const [wanted, setWanted] = useState(part.picture !== null);
  const [failed, setFailed] = useState(false);
  const incoming = useIncomingFiles(locked);
  const needed = wanted || part.picture !== null || incoming.incoming !== null;

  useEffect(() => {
    if (!needed || failed || Loaded !== null) return undefined;
    let isHere = true;
    import('./screenshot/screenshot.tsx').then(
      ({ Screenshot }) => (isHere ? setLoaded({ Screenshot }) : undefined),
      () => (isHere ? setFailed(true) : undefined),
    );
    return () => {
      isHere = false;
    };
  }, [needed, failed, Loaded]);

  if (Loaded !== null && needed) {
    return (
      <div inert={locked}>
        <Loaded.Screenshot {...part} {...incoming} labels={labels.screenshot} />
      </div>
    );
  }
  return (
    <div className="stack gap-2">
      {failed ? (
        <Notice severity="high" role="alert">
          {labels.screenshotFailed}
        </Notice>
      ) : null}
      <div className="button-row">
        <Button
          icon="plus"
          busy={needed && !failed}
          onClick={() => {
            setFailed(false);
            setWanted(true);
          }}
        >
          {labels.addScreenshot}
        </Button>
        {part.picture === null ? null : (
          <Button tone="quiet" onClick={() => part.onPicture(null)}>
            {labels.screenshot.remove}
          </Button>
        )}
      </div>
    </div>
  );
}
