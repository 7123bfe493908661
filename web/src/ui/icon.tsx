// Drawn on a 16 px grid with a 1.5 px line, so that they sit beside 14 px text without blur.
const drawings = {
  alert: 'M5.3 1.5h5.4l3.8 3.8v5.4l-3.8 3.8H5.3l-3.8-3.8V5.3zM8 4.8v3.7M8 10.9v.3',
  bug: 'M5.5 5.5a2.5 2.5 0 0 1 5 0M5 5.5h6v4a3 3 0 0 1-6 0zM8 5.5v7M5 8H2M11 8h3M5 5.5 3 3.5M11 5.5l2-2M5.3 10.5 3 13M10.7 10.5 13 13',
  check: 'M3 8.5 6.5 12 13 4.5',
  'check-circle': 'M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM5.2 8.2 7.2 10.2 10.8 6.2',
  'chevron-down': 'M4 6l4 4 4-4',
  'chevron-left': 'M10 4 6 8l4 4',
  'chevron-right': 'M6 4l4 4-4 4',
  clock: 'M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM8 4.5V8l2.5 1.5',
  close: 'M4 4l8 8M12 4l-8 8',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  download: 'M8 2v8M4.5 6.5 8 10l3.5-3.5M2.5 13.5h11',
  edit: 'M10.5 3 13 5.5 5.5 13 2.5 13.5 3 10.5z',
  external: 'M9.5 2.5h4v4M13.5 2.5 7.5 8.5M6 3.5H2.5v10h10V10',
  eye: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8zM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  'eye-off':
    'M2 2l12 12M6.3 3.7C6.8 3.6 7.4 3.5 8 3.5c4 0 6.5 4.5 6.5 4.5a12 12 0 0 1-1.9 2.3M4 5.2A11 11 0 0 0 1.5 8S4 12.5 8 12.5c1 0 2-.3 2.8-.7M6.7 6.6a2 2 0 0 0 2.7 2.8',
  flag: 'M3.5 14.5v-12M3.5 2.5c3-1.5 5.5 1.5 9 0v6.5c-3.5 1.5-6-1.5-9 0',
  home: 'M2 7.5 8 2l6 5.5M3.5 6.5v7h3.3V9.8h2.4v3.7h3.3v-7',
  image: 'M2 3h12v10H2zM2 11l3.5-3.5L9 11l2-2 3 3M10.5 6.5h.1',
  inbox: 'M2 8.5 4 3h8l2 5.5V13H2zM2 8.5h3.5l1 2h3l1-2H14',
  info: 'M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM8 7.5v3.7M8 4.8v.3',
  key: 'M5.2 13a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6zM7.2 8.3l5.6-5.6M10.5 5l2 2',
  language:
    'M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM1.5 8h13M8 1.5c2 2 2.5 4 2.5 6.5s-.5 4.5-2.5 6.5c-2-2-2.5-4-2.5-6.5S6 3.5 8 1.5z',
  list: 'M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.1M2.5 8h.1M2.5 12h.1',
  lock: 'M3.5 7.5h9v6h-9zM5.5 7.5v-2a2.5 2.5 0 0 1 5 0v2',
  menu: 'M2 4h12M2 8h12M2 12h12',
  minus: 'M3 8h10',
  monitor: 'M2 3h12v8H2zM5.5 13.5h5M8 11v2.5',
  moon: 'M13.5 9.5A6 6 0 0 1 6.5 2.5 6 6 0 1 0 13.5 9.5z',
  people:
    'M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM1.5 13.5c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4M10.5 2.8a2.5 2.5 0 0 1 0 4.5M12 9.9c1.5.6 2.5 1.8 2.5 3.6',
  person: 'M8 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2.5 14c0-2.8 2.5-4.5 5.5-4.5s5.5 1.7 5.5 4.5',
  plus: 'M8 3v10M3 8h10',
  pulse: 'M1.5 8h3l2-5.5 3 11 2-5.5h3',
  refresh: 'M13.5 8a5.5 5.5 0 1 1-1.7-4M13.5 1.5V4.5h-3',
  search: 'M7 12a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM10.6 10.6 14 14',
  settings:
    'M2 4.5h6M12 4.5h2M2 11.5h2M8 11.5h6M10 6.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM6 13.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  shield: 'M8 1.5 13.5 3.5v4c0 3.5-2.3 5.8-5.5 7-3.2-1.2-5.5-3.5-5.5-7v-4z',
  'sign-out': 'M6 2.5H2.5v11H6M6.5 8h7.5M11 5l3 3-3 3',
  sun: 'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1v1.2M8 13.8V15M1 8h1.2M13.8 8H15M3 3l.9.9M12.1 12.1l.9.9M3 13l.9-.9M12.1 3.9 13 3',
  trash: 'M2.5 4h11M6 4V2.5h4V4M4 4l.7 9.5h6.6L12 4M6.7 6.8v4M9.3 6.8v4',
  warning: 'M8 2 14.8 13.8H1.2zM8 6.3v3.4M8 11.7v.2',
  wrench:
    'M13.8 4.3a3.5 3.5 0 0 1-4.7 4.3L4.3 13.4a1.2 1.2 0 0 1-1.7-1.7l4.8-4.8a3.5 3.5 0 0 1 4.3-4.7L9.5 4.4l.4 1.7 1.7.4z',
  'zoom-in': 'M7 12a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM10.6 10.6 14 14M7 5v4M5 7h4',
  'zoom-out': 'M7 12a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM10.6 10.6 14 14M5 7h4',
} as const;

export type IconName = keyof typeof drawings;

/** A decoration beside a word; screen readers skip it. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return <Drawing path={drawings[name]} size={size} />;
}

/** An icon that one screen alone has, by its path on the same grid: it is downloaded with that screen. */
export function Drawing({ path, size = 16 }: { path: string; size?: number }) {
  return (
    <svg
      className="icon"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={path} />
    </svg>
  );
}
