import { useTranslation } from 'react-i18next';
import { storedChoice } from '#web/platform/state/stored-choice.ts';
import { useStore } from '#web/platform/state/use-store.ts';
import {
  type CoordinateFormat,
  coordinateFormats,
  type Directions,
  formatPlace,
} from './coordinate-format.ts';
import type { Place } from './place.ts';

const chosen = storedChoice('portico.map.coordinates', coordinateFormats);

export type ChosenFormat = {
  format: CoordinateFormat;
  letters: Directions;
  choose: (format: CoordinateFormat) => void;
  write: (place: Place, precision?: number) => string;
};

/** The person's choice of coordinate format, stored in this browser. */
export function useCoordinateFormat(): ChosenFormat {
  const { t } = useTranslation();
  const format = useStore(chosen);
  const letters = {
    north: t('MAP.DIRECTIONS.NORTH'),
    south: t('MAP.DIRECTIONS.SOUTH'),
    east: t('MAP.DIRECTIONS.EAST'),
    west: t('MAP.DIRECTIONS.WEST'),
  };
  return {
    format,
    letters,
    choose: chosen.set,
    write: (place, precision) => formatPlace(place, format, letters, precision),
  };
}
