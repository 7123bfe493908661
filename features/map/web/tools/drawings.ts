/** The icons that the map alone has, on the grid of `ui/icon.tsx`. */
export const drawings = {
  world:
    'M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM1.5 8h13M8 1.5c2 2 2.5 4 2.5 6.5s-.5 4.5-2.5 6.5c-2-2-2.5-4-2.5-6.5S6 3.5 8 1.5z',
  distance: 'M2 11 11 2l3 3-9 9zM5 8l1.5 1.5M7.5 5.5 9 7',
  area: 'M3 3h10v10H3zM3 3h.1M13 3h.1M3 13h.1M13 13h.1',
  place: 'M8 14.5S3 10 3 6.5a5 5 0 0 1 10 0C13 10 8 14.5 8 14.5zM8 8a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3z',
  wide: 'M6 2.5H2.5V6M10 2.5h3.5V6M6 13.5H2.5V10M10 13.5h3.5V10',
  link: 'M6.5 9.5a2.5 2.5 0 0 0 3.5 0l3-3A2.5 2.5 0 0 0 9.5 3L8.5 4M9.5 6.5a2.5 2.5 0 0 0-3.5 0l-3 3A2.5 2.5 0 0 0 6.5 13l1-1',
  up: 'M8 13V3M3.5 7.5 8 3l4.5 4.5',
  down: 'M8 3v10M3.5 8.5 8 13l4.5-4.5',
  handle: 'M6 3.5h.1M10 3.5h.1M6 8h.1M10 8h.1M6 12.5h.1M10 12.5h.1',
} as const;
