import type { StoredPicture } from '#features/feedback/contract/own-reports.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFileAddress } from '#web/platform/files/files.tsx';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Spin } from '#web/ui/spinner.tsx';
import { PictureViewer } from './picture-viewer.tsx';
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
      <div className="picture-failed row wrap" role="alert">
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
      className="picture-thumbnail"
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
