import { type ReactNode, type RefObject, useId } from 'react';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';
import { type EmptyPicture, EmptyState } from './states.tsx';
import './list-beside.css';

type ListBesideProps = {
  className: string;
  head: ReactNode;
  filters: ReactNode;
  list: ReactNode;
  /** Whether nothing in the list can be opened, so that the list takes the whole width. */
  alone?: boolean;
  /** The open detail; null: none. */
  detail: ReactNode;
  /** Shown next to the list while nothing is open; left out: the list takes the whole width until then. */
  choose?: { icon: EmptyPicture; title: string; text: string };
  /** Dialogs. */
  children?: ReactNode;
};

/** A screen with a list and the open detail next to it, or instead of it on narrow windows. */
export function ListBeside(props: ListBesideProps) {
  const { className, head, filters, list, alone = false, detail, choose, children } = props;
  return (
    <div className={`list-beside ${className}`} data-open={detail !== null}>
      {head}
      {filters}
      <div
        className="list-beside-columns stack"
        data-alone={detail === null && (alone || choose === undefined)}
      >
        <div className="list-beside-column">{list}</div>
        <div className="list-beside-side">
          {detail ??
            (choose === undefined ? null : (
              <EmptyState icon={choose.icon} title={choose.title}>
                {choose.text}
              </EmptyState>
            ))}
        </div>
      </div>
      {children}
    </div>
  );
}

type DetailPaneProps = {
  className: string;
  title: string;
  /** Takes the focus when the detail is opened. */
  heading: RefObject<HTMLHeadingElement | null>;
  /** `auto` for a title that a person wrote. */
  dir?: 'auto';
  backLabel: string;
  closeLabel: string;
  onClose: () => void;
  /** Right of the title. */
  beside?: ReactNode;
  children: ReactNode;
};

/** The detail of one row. */
export function DetailPane(props: DetailPaneProps) {
  const { className, title, heading, dir, backLabel, closeLabel, onClose, beside, children } = props;
  const headingId = useId();
  return (
    <section className={`list-beside-pane stack gap-4 ${className}`} aria-labelledby={headingId}>
      <div className="list-beside-head row wrap gap-2-3">
        <button type="button" className="screen-up list-beside-back" onClick={onClose}>
          <Icon name="chevron-left" size={14} />
          {backLabel}
        </button>
        <h2 ref={heading} className="heading" id={headingId} tabIndex={-1} dir={dir}>
          {title}
        </h2>
        {beside}
        <IconButton
          className="list-beside-close end"
          icon="close"
          small
          label={closeLabel}
          onClick={onClose}
        />
      </div>
      {children}
    </section>
  );
}
