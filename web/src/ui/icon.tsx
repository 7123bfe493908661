import { drawings } from './icon-drawings.ts';

export type IconName = keyof typeof drawings;

/** A decoration next to a word; screen readers skip it. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return <Drawing path={drawings[name]} size={size} />;
}

/** An icon of a single screen, by its path on the same grid; it is downloaded with that screen. */
export function Drawing({ path, size = 16 }: { path: string; size?: number }) {
  return (
    <svg
      className="icon"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={path} />
    </svg>
  );
}
