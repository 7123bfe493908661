import { type ChangeEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ReactCrop } from 'react-image-crop';
import 'react-image-crop/dist/ReactCrop.css';
import type { OnProgress } from '#web/platform/calls/call.ts';
import { refusalText } from '#web/platform/calls/problem-text.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Problem } from '#web/ui/notice.tsx';
import {
  type ChosenPicture,
  drawSquare,
  fromPercent,
  largestSquare,
  resized,
  smallestPart,
  toPercent,
  within,
} from './picture-file.ts';
import { useFormats } from '#web/platform/contexts.tsx';
import '../profile-screen.css';

type CropDialogProps = {
  picture: ChosenPicture;
  /**
   * Uploads and saves the picture; resolves to null once that is done, or to why it failed. An aborted signal is
   * no failure.
   */
  onUse: (
    file: File,
    options: { onProgress: OnProgress; signal: AbortSignal },
  ) => Promise<UploadFault | null>;
  onClose: () => void;
};

export type UploadFault = 'UPLOAD' | 'UPLOAD_TOO_LARGE';

type Step =
  | { readonly name: 'cropping'; readonly failed?: UploadFault; readonly stopped?: boolean }
  /** From 0 to 1. */
  | { readonly name: 'uploading'; readonly part: number };

/** Selects a square of a picture, by pointer, touch and keyboard, and sends it. */
export function CropDialog({ picture, onUse, onClose }: CropDialogProps) {
  const { t } = useTranslation();
  const { locale } = useFormats();
  const [square, setSquare] = useState(() => largestSquare(picture));
  const [step, setStep] = useState<Step>({ name: 'cropping' });
  const upload = useRef<AbortController | null>(null);
  const uploading = step.name === 'uploading';

  useEffect(() => () => upload.current?.abort(), []);

  async function use(): Promise<void> {
    const control = new AbortController();
    upload.current = control;
    setStep({ name: 'uploading', part: 0 });
    const onProgress: OnProgress = (sent, total) => {
      if (!control.signal.aborted) setStep({ name: 'uploading', part: total === 0 ? 0 : sent / total });
    };
    const fault = await drawSquare(picture.image, square).then(
      (file) => onUse(file, { onProgress, signal: control.signal }),
      () => 'UPLOAD' as const,
    );
    if (control.signal.aborted) return;
    upload.current = null;
    if (fault === null) onClose();
    else setStep({ name: 'cropping', failed: fault });
  }

  function stop(): void {
    upload.current?.abort();
    setStep({ name: 'cropping', stopped: true });
  }

  const corner = (name: string) => t('PROFILE.PICTURE.CROP.CORNER', { corner: t(name) });
  const percent = new Intl.NumberFormat(locale, { style: 'percent' });
  const shorter = Math.min(picture.width, picture.height);

  return (
    <Dialog
      title={t('PROFILE.PICTURE.CROP.TITLE')}
      onClose={uploading ? stop : onClose}
      typed={false}
      onSubmit={() => {
        if (!uploading) void use();
      }}
      footer={
        <>
          <Button tone="quiet" onClick={uploading ? stop : onClose}>
            {uploading ? t('PROFILE.PICTURE.CROP.STOP') : t('COMMON.CANCEL')}
          </Button>
          <Button tone="primary" type="submit" busy={uploading}>
            {t('PROFILE.PICTURE.CROP.ACTION')}
          </Button>
        </>
      }
    >
      <p>{t('PROFILE.PICTURE.CROP.LEAD')}</p>
      <Problem>
        {step.name === 'cropping' && step.failed !== undefined
          ? (refusalText(t) ?? t(`PROFILE.PICTURE.FAULTS.${step.failed}`))
          : null}
      </Problem>
      <div className="crop-frame grid inset">
        <ReactCrop
          crop={toPercent(picture, square)}
          aspect={1}
          circularCrop
          keepSelection
          disabled={uploading}
          minWidth={32}
          onChange={(_pixels, crop) => setSquare(fromPercent(picture, crop))}
          ariaLabels={{
            cropArea: t('PROFILE.PICTURE.CROP.AREA'),
            nwDragHandle: corner('PROFILE.PICTURE.CROP.CORNERS.TOP_LEFT'),
            neDragHandle: corner('PROFILE.PICTURE.CROP.CORNERS.TOP_RIGHT'),
            seDragHandle: corner('PROFILE.PICTURE.CROP.CORNERS.BOTTOM_RIGHT'),
            swDragHandle: corner('PROFILE.PICTURE.CROP.CORNERS.BOTTOM_LEFT'),
            // A square has handles at its corners alone.
            nDragHandle: '',
            eDragHandle: '',
            sDragHandle: '',
            wDragHandle: '',
          }}
        >
          <img src={picture.address} alt={t('PROFILE.PICTURE.CROP.PICTURE')} draggable={false} />
        </ReactCrop>
      </div>
      <div className="crop-sliders grid gap-2-6">
        <Slider
          label={t('PROFILE.PICTURE.CROP.SIZE')}
          value={square.side / shorter}
          min={smallestPart}
          disabled={uploading}
          onValue={(part) => setSquare(resized(picture, square, part * shorter))}
        />
        <Slider
          label={t('PROFILE.PICTURE.CROP.ACROSS')}
          value={partOf(square.x, picture.width - square.side)}
          disabled={uploading || picture.width <= square.side}
          onValue={(part) =>
            setSquare(within(picture, { ...square, x: part * (picture.width - square.side) }))
          }
        />
        <Slider
          label={t('PROFILE.PICTURE.CROP.DOWN')}
          value={partOf(square.y, picture.height - square.side)}
          disabled={uploading || picture.height <= square.side}
          onValue={(part) =>
            setSquare(within(picture, { ...square, y: part * (picture.height - square.side) }))
          }
        />
      </div>
      <div className="crop-progress row gap-3 muted" role="status">
        {uploading ? (
          <>
            <span>{t('PROFILE.PICTURE.CROP.UPLOADING')}</span>
            <progress
              className="grow"
              aria-label={t('PROFILE.PICTURE.CROP.UPLOADING')}
              value={step.part}
              max={1}
            />
            <span aria-hidden="true">{percent.format(step.part)}</span>
          </>
        ) : step.stopped === true ? (
          <span>{t('PROFILE.PICTURE.CROP.STOPPED')}</span>
        ) : null}
      </div>
    </Dialog>
  );
}

function partOf(value: number, whole: number): number {
  return whole <= 0 ? 0.5 : value / whole;
}

type SliderProps = {
  label: string;
  /** From `min` to 1. */
  value: number;
  min?: number;
  disabled: boolean;
  onValue: (value: number) => void;
};

function Slider({ label, value, min = 0, disabled, onValue }: SliderProps) {
  const id = useId();
  return (
    <div className="crop-slider stack gap-2px">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="range"
        min={Math.round(min * 100)}
        max={100}
        value={Math.round(value * 100)}
        disabled={disabled}
        onChange={(event: ChangeEvent<HTMLInputElement>) => onValue(Number(event.currentTarget.value) / 100)}
      />
    </div>
  );
}
