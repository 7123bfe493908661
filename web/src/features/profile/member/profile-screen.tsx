import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OwnFiles } from '../../../platform/files/own-files.ts';
import { useStore } from '../../../platform/state/use-store.ts';
import { Notice } from '../../../ui/notice.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import type { LanguageChoice } from '../language-choice.ts';
import type { OwnProfile } from '../profile.ts';
import { PictureSection } from './picture/picture-section.tsx';
import { ProfileForm } from './profile-form.tsx';
import '../../../ui/screen.css';
import './profile-screen.css';

export type ProfileScreenProps = {
  profile: OwnProfile;
  languageChoice: LanguageChoice;
  files: OwnFiles;
  /** Changes are refused during maintenance. */
  readOnly: boolean;
};

/** The own profile: what others see of a person, and the person's settings. */
export function ProfileScreen({ profile, languageChoice, files, readOnly }: ProfileScreenProps) {
  const { t } = useTranslation();
  const { status, currentUser: user } = useStore(profile.state);
  const [retrying, setRetrying] = useState(false);

  async function retry(): Promise<void> {
    setRetrying(true);
    await profile.reload();
    setRetrying(false);
  }

  return (
    <div className="profile">
      <div>
        <h1 tabIndex={-1}>{t('PROFILE.TITLE')}</h1>
        <p className="muted">{t('PROFILE.LEAD')}</p>
      </div>
      {readOnly ? (
        <Notice severity="info" role="status">
          {t('PROFILE.READ_ONLY')}
        </Notice>
      ) : null}
      {status === 'pending' ? (
        <Skeleton label={t('COMMON.LOADING')} kind="rows" count={5} />
      ) : status === 'error' ? (
        <ErrorState
          title={t('PROFILE.FAILED.TITLE')}
          retry={{ label: t('COMMON.RETRY'), onRetry: () => void retry(), busy: retrying }}
        >
          {t('PROFILE.FAILED.CONTENT')}
        </ErrorState>
      ) : (
        <ProfileForm
          key={user.id}
          user={user}
          profile={profile}
          languageChoice={languageChoice}
          picture={
            <PictureSection
              user={user}
              name={`${user.firstName} ${user.lastName}`.trim() || user.email}
              profile={profile}
              files={files}
            />
          }
        />
      )}
    </div>
  );
}
