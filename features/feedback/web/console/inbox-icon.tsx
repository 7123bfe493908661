import { Drawing } from '#web/ui/icon.tsx';

// Drawn on the grid of `ui/icon.tsx`.
const drawings = {
  keyboard: 'M1.5 4h13v8h-13zM4 6.5h.1M6.5 6.5h.1M9 6.5h.1M11.5 6.5h.1M5 9.5h6',
  label: 'M2.5 2.5h5l6 6-5 5-6-6zM5.5 5.5h.1',
  note: 'M3 2.5h10v7.5l-3.5 3.5H3zM13 10H9.5v3.5M5.5 5.5h5M5.5 8h3',
  reply: 'M6.5 3.5 2.5 7.5l4 4M2.5 7.5h6a5 5 0 0 1 5 5',
} as const;

export type InboxIconName = keyof typeof drawings;

/** An icon that only the inbox uses; a decoration next to a word. */
export function InboxIcon({ name, size = 16 }: { name: InboxIconName; size?: number }) {
  return <Drawing path={drawings[name]} size={size} />;
}
