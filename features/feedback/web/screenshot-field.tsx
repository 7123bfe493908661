import { type ComponentType, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#web/ui/button.tsx';
import { Problem } from '#web/ui/notice.tsx';
import type { ScreenshotProps } from './picture.ts';
import { type Incoming, useIncomingFiles } from './screenshot/incoming-files.ts';

type Part = ComponentType<ScreenshotProps & Incoming>;

type ScreenshotFieldProps = {
  /** The report is being sent, so nothing can be changed now. */
  locked: boolean;
  part: ScreenshotProps;
};

export const loadScreenshot = () => import('./screenshot/screenshot.tsx');

/** The picture of the report. Its editor is downloaded when the person wants one, or when the draft has one. */
export function ScreenshotField({ locked, part }: ScreenshotFieldProps) {
  const { t } = useTranslation();
  const [Loaded, setLoaded] = useState<{ Screenshot: Part } | null>(null);
  const [wanted, setWanted] = useState(part.picture !== null);
  const [failed, setFailed] = useState(false);
  const incoming = useIncomingFiles(locked);
  const needed = wanted || part.picture !== null || incoming.incoming !== null;

  useEffect(() => {
    if (!needed || failed || Loaded !== null) return undefined;
    let isHere = true;
    loadScreenshot().then(
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
        <Loaded.Screenshot {...part} {...incoming} />
      </div>
    );
  }
  return (
    <div className="stack gap-2">
      <Problem>{failed ? t('FEEDBACK.SCREENSHOT_FAILED') : null}</Problem>
      <div className="row wrap">
        <Button
          icon="plus"
          busy={needed && !failed}
          onClick={() => {
            setFailed(false);
            setWanted(true);
          }}
        >
          {t('FEEDBACK.ADD_SCREENSHOT')}
        </Button>
        {part.picture === null ? null : (
          <Button tone="quiet" onClick={() => part.onPicture(null)}>
            {t('FEEDBACK.SCREENSHOT.REMOVE')}
          </Button>
        )}
      </div>
    </div>
  );
}
