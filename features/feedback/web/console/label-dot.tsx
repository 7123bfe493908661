import { hueOf } from '#web/ui/face.tsx';
import './label-dot.css';

/** The quiet colour of a label: the same everywhere, next to its name. */
export function LabelDot({ label }: { label: string }) {
  return <span className="label-dot" data-hue={hueOf(label)} aria-hidden="true" />;
}

/** Labels as small marks. */
export function LabelTags({ labels }: { labels: readonly string[] }) {
  return labels.map((label) => (
    <span key={label} className="label-tag" dir="auto">
      <LabelDot label={label} />
      <span dir="auto">{label}</span>{' '}
    </span>
  ));
}
