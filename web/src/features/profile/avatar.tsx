import { useState } from 'react';
import { useFileAddress } from '../../platform/files/files.tsx';
import { initials } from './initials.ts';
import './avatar.css';

type AvatarProps = {
  /** The picture, or null where there is none. */
  fileId: string | null;
  /** Whose it is; its letters stand there until the picture does. */
  name: string;
};

/** The picture of a person, as large as the place it stands in; a decoration beside their name. */
export function Avatar({ fileId, name }: AvatarProps) {
  const { address } = useFileAddress(fileId);
  const [broken, setBroken] = useState<string | null>(null);
  // Drawn letters, so that nothing but the full name is read.
  if (address === null || address === broken) return <span className="avatar" data-text={initials(name)} />;
  return <img className="avatar" src={address} alt="" onError={() => setBroken(address)} />;
}
