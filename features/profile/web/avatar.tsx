import { useState } from 'react';
import { useFileAddress } from '#web/platform/files/files.tsx';
import { hueOf } from '#web/ui/face.tsx';
import { initials } from '#web/platform/named-person.ts';
import './avatar.css';

type AvatarProps = {
  /** The picture, or null where there is none. */
  fileId: string | null;
  /** The person's name; its initials are shown until the picture is loaded. */
  name: string;
};

/** The picture of a person, as large as its container; a decoration next to their name. */
export function Avatar({ fileId, name }: AvatarProps) {
  const { address } = useFileAddress(fileId);
  const [broken, setBroken] = useState<string | null>(null);
  // The initials are drawn by CSS, so that a screen reader reads only the full name.
  if (address === null || address === broken)
    return (
      <span className="face avatar" style={{ '--hue': hueOf(name) } as object} data-text={initials(name)} />
    );
  return <img className="avatar" src={address} alt="" onError={() => setBroken(address)} />;
}
