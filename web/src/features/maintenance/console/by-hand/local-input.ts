/** A time as `<input type="datetime-local">` holds it, in the zone of this computer. */
export function localInput(at: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Milliseconds since the epoch, or null where nothing (whole) was entered. */
export function readLocalInput(value: string): number | null {
  const at = value === '' ? Number.NaN : new Date(value).getTime();
  return Number.isFinite(at) ? at : null;
}
