import { Face as NamedFace } from '#web/ui/face.tsx';
import { initials } from '#web/platform/named-person.ts';

/**
 * The face of a person of whom only the name is known.
 *
 * @param name null: a person without a name
 */
export function Face({ name, small = false }: { name: string | null; small?: boolean }) {
  const size = small ? 'small' : 'normal';
  if (name !== null) return <NamedFace letters={initials(name)} of={name} size={size} />;
  return (
    <span
      className={small ? 'face face-unknown face-small' : 'face face-unknown'}
      data-text="?"
      aria-hidden="true"
    />
  );
}
