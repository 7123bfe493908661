import { useState } from 'react';
import { useFileAddress } from '#web/platform/files/files.tsx';
import { initials } from '#web/platform/initials.ts';
import { Face } from '#web/ui/face.tsx';
import './person-page.css';

/** The picture of a person, or their initials until it is loaded, or where there is none. */
export function PersonFace({ fileId, name }: { fileId: string | null; name: string }) {
  const { address } = useFileAddress(fileId);
  const [broken, setBroken] = useState<string | null>(null);
  if (address === null || address === broken) return <Face letters={initials(name)} of={name} size="large" />;
  return <img className="person-picture" src={address} alt="" onError={() => setBroken(address)} />;
}
