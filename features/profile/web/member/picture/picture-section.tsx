import type { StoredFile } from '#features/files/contract/files.ts';
import type { Profile } from '#features/profile/contract/profile.ts';
import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFileAddress } from '#web/platform/files/files.tsx';
import type { OwnFiles } from '#web/platform/files/own-files.ts';
import { isProblem } from '#web/platform/calls/problem-error.ts';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import { Avatar } from '../../avatar.tsx';
import type { OwnProfile } from '../../profile.ts';
import { outcomeMessage } from '../outcome-message.ts';
import type { CropDialog, UploadFault } from './crop-dialog.tsx';
import { type ChosenPicture, type PictureFault, readPicture } from './picture-file.ts';

type PictureSectionProps = {
  user: Profile;
  /** Whose picture it is, in words. */
  name: string;
  profile: Pick<OwnProfile, 'amend'>;
  files: OwnFiles;
};

type Fault = PictureFault | 'NOT_LOADED';

/** The picture: chosen, dropped or pasted, cropped, and saved at once; the form is not affected. */
export function PictureSection({ user, name, profile, files }: PictureSectionProps) {
  const { t } = useTranslation();
  const { status, retry } = useFileAddress(user.avatar);
  const input = useRef<HTMLInputElement>(null);
  const [cropping, setCropping] = useState<{ picture: ChosenPicture; Crop: typeof CropDialog } | null>(null);
  const [reading, setReading] = useState(false);
  const [fault, setFault] = useState<Fault | null>(null);
  const [removing, setRemoving] = useState(false);
  const dropping = usePictureFiles((file) => void choose(file));

  async function choose(file: File): Promise<void> {
    if (reading || cropping !== null) return;
    setReading(true);
    setFault(null);
    try {
      const picture = await readPicture(file);
      if (typeof picture === 'string') setFault(picture);
      else {
        const late = await import('./crop-dialog.tsx');
        setCropping({ picture, Crop: late.CropDialog });
      }
    } catch {
      // The dialog could not be downloaded.
      setFault('NOT_LOADED');
    } finally {
      setReading(false);
    }
  }

  /** Resolves to whether the profile now shows the picture; a file that nothing shows any more is removed. */
  async function show(stored: StoredFile | null): Promise<boolean> {
    const before = user.avatar;
    const outcome = await profile.amend({ avatar: stored?.id ?? null });
    notify(outcomeMessage(t, outcome));
    const left = outcome.status === 'saved' ? before : (stored?.id ?? null);
    if (left !== null) void files.remove(left);
    return outcome.status === 'saved';
  }

  function close(): void {
    cropping?.picture.close();
    setCropping(null);
  }

  return (
    <div className="picture row wrap pad-3" data-dropping={dropping ? '' : undefined}>
      <div className="picture-shown rigid">
        <Avatar fileId={user.avatar} name={name} />
      </div>
      <div className="picture-actions stack gap-2">
        <div className="row wrap">
          <Button busy={reading} onClick={() => input.current?.click()}>
            {user.avatar === null ? t('PROFILE.PICTURE.CHOOSE') : t('PROFILE.PICTURE.CHANGE')}
          </Button>
          {user.avatar === null ? null : (
            <Button tone="quiet" onClick={() => setRemoving(true)}>
              {t('PROFILE.PICTURE.REMOVE')}
            </Button>
          )}
        </div>
        <p className="muted small">{t('PROFILE.PICTURE.HINT')}</p>
        {fault === null ? null : (
          <p className="field-error" role="alert">
            <Icon name="alert" size={14} />
            <span>{t(`PROFILE.PICTURE.FAULTS.${fault}`)}</span>
          </p>
        )}
        {status === 'error' ? (
          <p className="row wrap" role="status">
            {t('PROFILE.PICTURE.MISSING')}
            <Button small onClick={retry}>
              {t('COMMON.RETRY')}
            </Button>
          </p>
        ) : null}
        <input
          ref={input}
          type="file"
          accept="image/*"
          hidden
          aria-label={t('PROFILE.PICTURE.CHOOSE')}
          onChange={(event: ChangeEvent<HTMLInputElement>) => {
            const [file] = event.currentTarget.files ?? [];
            // So that the same file can be chosen again.
            event.currentTarget.value = '';
            if (file !== undefined) void choose(file);
          }}
        />
      </div>
      {cropping === null ? null : (
        <cropping.Crop
          picture={cropping.picture}
          onClose={close}
          onUse={async (file, options) => {
            let fault: UploadFault = 'UPLOAD';
            const onFailure = (error: unknown): void => {
              if (isProblem(error, 'TOO_LARGE')) fault = 'UPLOAD_TOO_LARGE';
            };
            const [stored] = await files.upload([file], { ...options, onFailure });
            if (stored === undefined) return fault;
            if (!options.signal.aborted) return (await show(stored)) ? null : 'UPLOAD';
            void files.remove(stored.id);
            return null;
          }}
        />
      )}
      {removing ? (
        <ConfirmAction
          title={t('PROFILE.PICTURE.REMOVAL.TITLE')}
          confirmLabel={t('PROFILE.PICTURE.REMOVE')}
          tone="danger"
          action={() => show(null)}
          problem={(error) => problemText(t, error)}
          onCancel={() => setRemoving(false)}
        >
          {t('PROFILE.PICTURE.REMOVAL.CONTENT')}
        </ConfirmAction>
      ) : null}
    </div>
  );
}

/**
 * Takes pictures that are dropped or pasted anywhere on the screen; returns whether one is being dragged over
 * it. A file dropped outside a small target would otherwise open instead of the page.
 */
function usePictureFiles(take: (file: File) => void): boolean {
  const [over, setOver] = useState(false);
  const latest = useRef(take);
  useEffect(() => {
    latest.current = take;
  });
  useEffect(() => {
    const holdsFiles = (data: DataTransfer | null) => data?.types.includes('Files') === true;
    const isFree = () => document.querySelector('dialog[open]') === null;
    const drag = (event: DragEvent) => {
      if (!holdsFiles(event.dataTransfer)) return;
      event.preventDefault();
      setOver(isFree());
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      if (!holdsFiles(event.dataTransfer)) return;
      event.preventDefault();
      setOver(false);
      const [file] = event.dataTransfer?.files ?? [];
      if (file !== undefined && isFree()) latest.current(file);
    };
    const paste = (event: ClipboardEvent) => {
      const file = [...(event.clipboardData?.files ?? [])].find(({ type }) => type.startsWith('image/'));
      if (file === undefined || !isFree()) return;
      event.preventDefault();
      latest.current(file);
    };
    window.addEventListener('dragover', drag);
    window.addEventListener('dragleave', leave);
    window.addEventListener('drop', drop);
    window.addEventListener('paste', paste);
    return () => {
      window.removeEventListener('dragover', drag);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('drop', drop);
      window.removeEventListener('paste', paste);
    };
  }, []);
  return over;
}
