type SplitBarProps = {
  /** Shares of everyone, 0 to 1; what is missing to 1 is left empty. */
  shares: readonly number[];
  /** What it shows, in words. */
  label: string;
};

/** How people are distributed, as a bar. */
export function SplitBar({ shares, label }: SplitBarProps) {
  return (
    <div className="split-bar" role="img" aria-label={label}>
      {shares.map((share, index) => (
        <i key={index} data-part={index % 6} style={{ width: `${share * 100}%` }} />
      ))}
    </div>
  );
}
