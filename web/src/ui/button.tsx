import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import { Spin } from './spinner.tsx';
import './button.css';

export type ButtonTone = 'plain' | 'primary' | 'danger' | 'danger-primary' | 'quiet';

type Look = { tone?: ButtonTone | undefined; small?: boolean; wide?: boolean; icon?: IconName };

function classes({ tone = 'plain', small = false, wide = false }: Look, more = ''): string {
  const names = ['button'];
  if (tone !== 'plain') names.push(`button-${tone}`);
  if (small) names.push('button-small');
  if (wide) names.push('button-wide');
  if (more !== '') names.push(more);
  return names.join(' ');
}

type ButtonProps = Look &
  Omit<ComponentProps<'button'>, 'className'> & {
    /** Work is under way: the label stays readable to a screen reader, and a press does nothing. */
    busy?: boolean;
    className?: string;
  };

/** A button. Its label names what a press does. It keeps its width and its focus while it is busy. */
export function Button({
  tone,
  small,
  wide,
  icon,
  busy = false,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const look = { tone, ...(small === undefined ? {} : { small }), ...(wide === undefined ? {} : { wide }) };
  return (
    <button
      type="button"
      {...rest}
      className={classes(look, className)}
      aria-disabled={busy ? true : rest['aria-disabled']}
      data-busy={busy ? 'true' : undefined}
      onClick={(event: MouseEvent<HTMLButtonElement>) => {
        // A disabled button would lose the focus, and people who use the keyboard their place.
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
      {busy ? (
        <span className="button-busy">
          <Spin />
        </span>
      ) : null}
    </button>
  );
}

type IconButtonProps = Omit<ButtonProps, 'children' | 'icon' | 'wide' | 'aria-label'> & {
  icon: IconName;
  /** Names what a press does. */
  label: string;
};

/** A button that shows an icon alone; its label is spoken and shown on hover. */
export function IconButton({ icon, label, className = '', tone = 'quiet', ...rest }: IconButtonProps) {
  return (
    <Button {...rest} tone={tone} className={`button-icon ${className}`} aria-label={label} title={label}>
      <Icon name={icon} />
    </Button>
  );
}

type LinkButtonProps = Look &
  Omit<ComponentProps<'a'>, 'className'> & { className?: string; children: ReactNode };

/** A link that looks like a button. */
export function LinkButton({ tone, small, wide, icon, className, children, ...rest }: LinkButtonProps) {
  const look = { tone, ...(small === undefined ? {} : { small }), ...(wide === undefined ? {} : { wide }) };
  return (
    <a {...rest} className={classes(look, className)}>
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
    </a>
  );
}
