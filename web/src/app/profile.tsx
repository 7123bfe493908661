import { ProfileScreen } from '../features/profile/member/profile-screen.tsx';
import { useStore } from '../platform/use-store.ts';
import { useHouse } from './house.tsx';

/** The own profile, with what it needs of other features: whether maintenance refuses changes now. */
export function Profile() {
  const { profile, languageChoice, files, maintenance } = useHouse();
  const readOnly = useStore(maintenance.gate) === 'read-only';
  return (
    <ProfileScreen profile={profile} languageChoice={languageChoice} files={files} readOnly={readOnly} />
  );
}
