import type { ControlProps } from '../field.tsx';

export type DateInputProps = Partial<ControlProps> & {
  /** Its name: of the group, and of each of its parts. */
  label: string;
  /** A day, `2026-11-24`, or one with a time of the clock, `2026-11-24T22:00`. */
  to: 'day' | 'minute';
  /** Empty: none. */
  value: string;
  /** Called with an empty text as well while what is typed is no date yet. */
  onValue: (value: string) => void;
  /** Called when the field begins or ceases to hold what is typed in part, or is no date. */
  onHalf?: (half: boolean) => void;
  /** As a value; empty: none. */
  min?: string;
  max?: string;
  disabled?: boolean;
  /** By whose habits it is written, and in which zone today is marked. */
  formats: { readonly locale: string; readonly timeZone: string };
};
