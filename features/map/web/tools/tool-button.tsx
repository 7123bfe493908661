import type { ComponentProps } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Drawing } from '#web/ui/icon.tsx';
import { drawings } from './drawings.ts';

type ToolButtonProps = Omit<ComponentProps<typeof Button>, 'children' | 'icon' | 'aria-label'> & {
  drawing: keyof typeof drawings;
  label: string;
};

/** A button with one of the map's own icons; its label is spoken and shown on hover. */
export function ToolButton({ drawing, label, className = '', ...rest }: ToolButtonProps) {
  return (
    <Button tone="quiet" {...rest} className={`button-icon ${className}`} aria-label={label} title={label}>
      <Drawing path={drawings[drawing]} />
    </Button>
  );
}
