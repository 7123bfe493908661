import { Icon, type IconName } from './icon.tsx';
import './tag.css';

export type TagKind = 'plain' | 'ok' | 'info' | 'medium' | 'high';

const icons: Record<Exclude<TagKind, 'plain'>, IconName> = {
  ok: 'check',
  info: 'info',
  medium: 'warning',
  high: 'alert',
};

/** A state in one or two words. */
export function Tag({
  kind = 'plain',
  icon,
  children,
}: {
  kind?: TagKind;
  icon?: IconName;
  children: string;
}) {
  const shown = icon ?? (kind === 'plain' ? undefined : icons[kind]);
  return (
    <span className={`tag ${kind === 'plain' ? 'tag-plain' : `tone-${kind}`}`}>
      {shown === undefined ? null : <Icon name={shown} size={12} />}
      {children}
    </span>
  );
}
