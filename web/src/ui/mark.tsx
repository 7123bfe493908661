type MarkProps = {
  size?: number;
  /** The address of the installation's own mark, instead of Portico's. */
  src?: string | null;
};

/** The installation's own mark, or Portico's: a pediment over four columns, in the colour of the text around it. */
export function Mark({ size = 22, src = null }: MarkProps) {
  if (src !== null) return <img className="mark" src={src} alt="" width={size} height={size} />;
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="currentColor"
      aria-hidden="true"
      focusable="false"
    >
      <path d="M12 1.5 1.5 7.6V10h21V7.6zM4.4 11.6h2.3v7.6H4.4zm4.4 0h2.3v7.6H8.8zm4.2 0h2.3v7.6H13zm4.3 0h2.3v7.6h-2.3zM3 20.6h18V23H3z" />
    </svg>
  );
}
