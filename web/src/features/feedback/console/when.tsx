import { useFormats } from '../../../platform/i18n/formats-context.tsx';
import { useNow } from '../../../platform/time/use-now.ts';

/** When it was. No button, as times are elsewhere: half of it may stand behind the field below. */
export function When({ at }: { at: number }) {
  const formats = useFormats();
  const now = useNow(30_000);
  return (
    <time dateTime={new Date(at).toISOString()} title={formats.exact(at)}>
      {formats.relative(at, now)}
    </time>
  );
}
