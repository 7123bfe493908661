import type { StoredPicture } from '#features/feedback/contract/own-reports.ts';
import { type RefObject, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFileAddress } from '#web/platform/files/files.tsx';
import { Button, IconButton, LinkButton } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Spin, Spinner } from '#web/ui/spinner.tsx';
import { ErrorState } from '#web/ui/states.tsx';
import { viewerAction } from './viewer-keys.ts';
import { useZoom, zoomStep } from './zoom.ts';
import { useFormats } from '#web/platform/contexts.tsx';
import './pictures.css';

/** The pictures of a report, small; each opens at full size. */
export function Pictures({ pictures }: { pictures: readonly StoredPicture[] }) {
  const [shown, setShown] = useState<number | null>(null);
  return (
    <>
      <ul className="pictures">
        {pictures.map((picture, index) => (
          <li key={picture.id}>
            <Thumbnail picture={picture} onOpen={() => setShown(index)} />
          </li>
        ))}
      </ul>
      {shown === null ? null : (
        <PictureViewer pictures={pictures} at={shown} onAt={setShown} onClose={() => setShown(null)} />
      )}
    </>
  );
}

function Thumbnail({ picture, onOpen }: { picture: StoredPicture; onOpen: () => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const file = useFileAddress(picture.id);
  const [broken, setBroken] = useState<string | null>(null);
  const failed = file.status === 'error' || (file.address !== null && broken === file.address);
  // Reserves the space of the picture before it is loaded.
  const shape = { aspectRatio: `${picture.width} / ${picture.height}` };

  if (failed) {
    return (
      <div className="row wrap high" role="alert">
        <Icon name="alert" />
        <span>{t('PICTURES.FAILED')}</span>
        <Button
          small
          icon="refresh"
          onClick={() => {
            setBroken(null);
            file.retry();
          }}
        >
          {t('COMMON.RETRY')}
        </Button>
      </div>
    );
  }
  return (
    <button
      type="button"
      className="picture-thumbnail sunk rounded centered muted"
      data-private=""
      aria-label={t('PICTURES.OPEN', { name: picture.filename })}
      title={`${picture.filename}, ${t('PICTURES.SIZE', {
        width: formats.number(picture.width),
        height: formats.number(picture.height),
      })}`}
      style={shape}
      onClick={onOpen}
    >
      {file.address === null ? (
        <>
          <Spin size={20} />
          <span className="visually-hidden">{t('PICTURES.LOADING')}</span>
        </>
      ) : (
        <img
          src={file.address}
          alt=""
          width={picture.width}
          height={picture.height}
          onError={() => setBroken(file.address)}
        />
      )}
    </button>
  );
}

type ViewerProps = {
  pictures: readonly StoredPicture[];
  /** The index of the picture that is shown. */
  at: number;
  onAt: (at: number) => void;
  onClose: () => void;
};

/**
 * Shows one picture at a time, fitted or at full size; buttons, keys, wheel and fingers zoom and move it.
 */
function PictureViewer({ pictures, at, onAt, onClose }: ViewerProps) {
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  const picture = pictures[at];
  if (picture === undefined) return null;
  const go = (to: number) => {
    if (pictures[to] !== undefined) onAt(to);
  };
  return (
    <Dialog
      className="viewer"
      element={dialog}
      title={
        pictures.length === 1
          ? picture.filename
          : t('PICTURES.TITLE', { number: at + 1, total: pictures.length, name: picture.filename })
      }
      onClose={onClose}
    >
      <ZoomedPicture
        key={picture.id}
        picture={picture}
        dialog={dialog}
        onNext={at + 1 < pictures.length ? () => go(at + 1) : undefined}
        onPrevious={at > 0 ? () => go(at - 1) : undefined}
        several={pictures.length > 1}
      />
    </Dialog>
  );
}

type ZoomedPictureProps = {
  picture: StoredPicture;
  dialog: RefObject<HTMLDialogElement | null>;
  several: boolean;
  onNext: (() => void) | undefined;
  onPrevious: (() => void) | undefined;
};

/** Pixels by which an arrow moves the picture; with Shift it moves `farSteps` times as far. */
const panStep = 60;
const farSteps = 6;

function ZoomedPicture({ picture, dialog, several, onNext, onPrevious }: ZoomedPictureProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const file = useFileAddress(picture.id);
  const [broken, setBroken] = useState(false);
  const hintId = useId();
  const frame = useRef<HTMLDivElement>(null);
  const zoom = useZoom(picture, frame);
  const percent = new Intl.NumberFormat(formats.locale, { style: 'percent' }).format(zoom.view.scale);
  const failed = file.status === 'error' || broken;

  const press = useEffectEvent((event: KeyboardEvent): void => {
    const action = viewerAction(event);
    if (action === null) return;
    event.preventDefault();
    switch (action.do) {
      case 'in':
        return zoom.by(zoomStep);
      case 'out':
        return zoom.by(1 / zoomStep);
      case 'fit':
        return zoom.fit();
      case 'full-size':
        return zoom.to(1);
      case 'next':
        return onNext?.();
      case 'previous':
        return onPrevious?.();
      case 'pan': {
        const distance = panStep * (action.far ? farSteps : 1);
        return zoom.pan({ x: action.x * distance, y: action.y * distance });
      }
    }
  });
  useEffect(() => {
    const element = dialog.current;
    if (element === null) return undefined;
    // Keys work wherever in the dialog the focus is.
    const listener = (event: KeyboardEvent) => press(event);
    element.addEventListener('keydown', listener);
    return () => element.removeEventListener('keydown', listener);
  }, [dialog]);

  return (
    <div className="viewer-content grid shrinks">
      <div className="viewer-bar row wrap between">
        <div className="row wrap" role="group" aria-label={t('PICTURES.SCALE')} aria-describedby={hintId}>
          <IconButton icon="zoom-out" label={t('PICTURES.ZOOM_OUT')} onClick={() => zoom.by(1 / zoomStep)} />
          <output className="viewer-scale muted" aria-label={t('PICTURES.SCALE')}>
            {percent}
          </output>
          <IconButton
            icon="zoom-in"
            label={t('PICTURES.ZOOM_IN')}
            data-autofocus=""
            onClick={() => zoom.by(zoomStep)}
          />
          <Button small aria-pressed={zoom.fits} onClick={zoom.fit}>
            {t('PICTURES.FIT')}
          </Button>
          <Button small aria-pressed={!zoom.fits && zoom.view.scale === 1} onClick={() => zoom.to(1)}>
            {t('PICTURES.FULL_SIZE')}
          </Button>
        </div>
        <p id={hintId} className="viewer-hint muted small">
          {t('PICTURES.HINT')}
        </p>
        <div className="row wrap">
          {several ? (
            <>
              <IconButton
                icon="chevron-left"
                label={t('PICTURES.PREVIOUS')}
                aria-disabled={onPrevious === undefined}
                onClick={onPrevious}
              />
              <IconButton
                icon="chevron-right"
                label={t('PICTURES.NEXT')}
                aria-disabled={onNext === undefined}
                onClick={onNext}
              />
            </>
          ) : null}
          {file.address === null ? null : (
            <LinkButton small icon="download" href={file.address} download={picture.filename}>
              {t('PICTURES.DOWNLOAD')}
            </LinkButton>
          )}
        </div>
      </div>
      <div ref={frame} className="viewer-stage relative sunk" data-moves={zoom.moves} {...zoom.pointers}>
        {failed ? (
          <ErrorState
            title={t('PICTURES.FAILED')}
            retry={{
              label: t('COMMON.RETRY'),
              onRetry: () => {
                setBroken(false);
                file.retry();
              },
            }}
          >
            {picture.filename}
          </ErrorState>
        ) : file.address === null ? (
          <Spinner label={t('PICTURES.LOADING')} />
        ) : (
          <img
            src={file.address}
            alt={picture.filename}
            draggable={false}
            width={picture.width}
            height={picture.height}
            style={{
              transform: `translate(${zoom.view.x}px, ${zoom.view.y}px) scale(${zoom.view.scale})`,
              imageRendering: zoom.view.scale >= 3 ? 'pixelated' : 'auto',
            }}
            onError={() => setBroken(true)}
          />
        )}
      </div>
    </div>
  );
}
