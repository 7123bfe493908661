import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { useNow } from '#web/platform/time/use-now.ts';

/** A time relative to now. Unlike `Time` it is not a button, since the reply field may cover part of it. */
export function RelativeTime({ at }: { at: number }) {
  const formats = useFormats();
  const now = useNow(30_000);
  return (
    <time dateTime={new Date(at).toISOString()} title={formats.exact(at)}>
      {formats.relative(at, now)}
    </time>
  );
}
