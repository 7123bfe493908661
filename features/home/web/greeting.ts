export type PartOfDay = 'MORNING' | 'AFTERNOON' | 'EVENING' | 'NIGHT';

/** @param hour of the day in the person's zone, 0 to 23 */
export function partOfDay(hour: number): PartOfDay {
  if (hour >= 5 && hour < 12) return 'MORNING';
  if (hour >= 12 && hour < 18) return 'AFTERNOON';
  if (hour >= 18 && hour < 23) return 'EVENING';
  return 'NIGHT';
}
