import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '#web/app/app-context.tsx';
import { useApi } from '#web/platform/contexts.tsx';
import { createOwnFiles } from '#web/platform/files/own-files.ts';
import { useStore } from '#web/platform/state/use-store.ts';
import { Notice } from '#web/ui/notice.tsx';
import { ScreenHead } from '#web/ui/screen-head.tsx';
import { ErrorState, Skeleton } from '#web/ui/states.tsx';
import { OwnData } from '#features/erasure/web/download-data.tsx';
import { OwnAccess, ownAccessKey } from '#features/permissions/web/member/own-access.tsx';
import { PictureSection } from './picture/picture-section.tsx';
import { ProfileForm } from './profile-form.tsx';
import './profile-screen.css';

/** The own profile: what others see of a person, the person's settings, rights and data. */
export function ProfileScreen() {
  const { permissions } = useApp();
  const queries = useQueryClient();
  useEffect(
    () => permissions.state.subscribe(() => void queries.invalidateQueries({ queryKey: ownAccessKey })),
    [permissions, queries],
  );
  return (
    <>
      <OwnProfile />
      <div className="profile-more">
        <OwnAccess />
        <OwnData />
      </div>
    </>
  );
}

function OwnProfile() {
  const { t } = useTranslation();
  const api = useApi();
  const { errors, languageChoice, maintenance, profile } = useApp();
  const files = useMemo(() => createOwnFiles(api, errors), [api, errors]);
  const refused = useStore(maintenance.gate) === 'read-only';
  // People who may bypass maintenance may also change things.
  const exempt = useStore(maintenance.mayPass);
  const { status, currentUser: user } = useStore(profile.state);
  const [retrying, setRetrying] = useState(false);

  async function retry(): Promise<void> {
    setRetrying(true);
    await profile.reload();
    setRetrying(false);
  }

  return (
    <div className="stack gap-6">
      <ScreenHead title={t('PROFILE.TITLE')} lead={t('PROFILE.LEAD')} />
      {refused && !exempt ? (
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
