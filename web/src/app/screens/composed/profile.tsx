import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { OwnData } from '../../../features/erasure/own-data.tsx';
import { OwnAccess, ownAccessKey } from '../../../features/permissions/member/own-access.tsx';
import { ProfileScreen } from '../../../features/profile/member/profile-screen.tsx';
import { useApi } from '../../../platform/contexts.tsx';
import { createOwnFiles } from '../../../platform/files/own-files.ts';
import { useStore } from '../../../platform/state/use-store.ts';
import { useApp } from '../../app-context.tsx';

/** The own profile, with what it needs of other features: whether maintenance refuses changes now. */
export function Profile() {
  const api = useApi();
  const { errors, languageChoice, maintenance, permissions, profile } = useApp();
  const queries = useQueryClient();
  useEffect(
    () => permissions.state.subscribe(() => void queries.invalidateQueries({ queryKey: ownAccessKey })),
    [permissions, queries],
  );
  const files = useMemo(() => createOwnFiles(api, errors), [api, errors]);
  const refused = useStore(maintenance.gate) === 'read-only';
  // People who may bypass maintenance may also change things.
  const exempt = useStore(maintenance.mayPass);
  return (
    <>
      <ProfileScreen
        profile={profile}
        languageChoice={languageChoice}
        files={files}
        readOnly={refused && !exempt}
      />
      <OwnAccess />
      <OwnData />
    </>
  );
}
