import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type CoordinateFormat,
  coordinateFormats,
  type Directions,
  formatPlace,
} from './coordinate-format.ts';
import type { Place } from './place.ts';

const storedAs = 'portico.map.coordinates';

export type ChosenFormat = {
  format: CoordinateFormat;
  letters: Directions;
  choose: (format: CoordinateFormat) => void;
  write: (place: Place) => string;
};

/** How the person wants coordinates, remembered in this browser. */
export function useCoordinateFormat(): ChosenFormat {
  const { t } = useTranslation();
  const [format, setFormat] = useState(stored);
  const letters = {
    north: t('MAP.DIRECTIONS.NORTH'),
    south: t('MAP.DIRECTIONS.SOUTH'),
    east: t('MAP.DIRECTIONS.EAST'),
    west: t('MAP.DIRECTIONS.WEST'),
  };
  return {
    format,
    letters,
    choose(next) {
      setFormat(next);
      try {
        localStorage.setItem(storedAs, next);
      } catch {
        // Storage is switched off or full: the choice holds for this page.
      }
    },
    write: (place) => formatPlace(place, format, letters),
  };
}

function stored(): CoordinateFormat {
  try {
    return coordinateFormats.find((format) => format === localStorage.getItem(storedAs)) ?? 'degrees';
  } catch {
    return 'degrees';
  }
}
