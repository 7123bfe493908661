import './spinner.css';

/** The turning ring alone, for places that already name the work in words. */
export function Spin({ size = 16 }: { size?: number }) {
  return (
    <svg
      className="spinner-turn"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      aria-hidden="true"
    >
      <circle cx="8" cy="8" r="6.25" stroke="currentColor" strokeWidth="1.5" opacity="0.25" />
      <path
        d="M14.25 8A6.25 6.25 0 0 0 8 1.75"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
      />
    </svg>
  );
}

/** Shows that something is under way, in words. */
export function Spinner({ label }: { label: string }) {
  return (
    <span className="spinner" role="status">
      <Spin />
      {label}
    </span>
  );
}
