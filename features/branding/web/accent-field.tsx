import { accentPalette } from '#features/branding/contract/accent.ts';
import { useTranslation } from 'react-i18next';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';

/** Portico's own accent, shown in the colour input while none is chosen. */
const ownAccent = '#0b5e63';

type AccentFieldProps = {
  /** As it is typed. */
  accent: string;
  /** The colour that this is; null if it is none. */
  colour: string | null;
  error: string | undefined;
  onAccent: (accent: string) => void;
};

/** Chooses the accent colour, and shows how readable it is. */
export function AccentField({ accent, colour, error, onAccent }: AccentFieldProps) {
  const { t } = useTranslation();
  return (
    <>
      <Field label={t('BRANDING.ACCENT')} hint={t('BRANDING.ACCENT_HINT')} error={error}>
        {(control) => (
          <div className="branding-row row gap-3 wrap">
            <input
              type="color"
              className="branding-colour"
              aria-label={t('BRANDING.PICK')}
              value={colour ?? ownAccent}
              onChange={(event) => onAccent(event.currentTarget.value)}
            />
            <TextInput
              {...control}
              required={false}
              autoComplete="off"
              spellCheck={false}
              maxLength={20}
              placeholder={ownAccent}
              value={accent}
              onValue={onAccent}
            />
          </div>
        )}
      </Field>
      {colour === null ? null : <Contrast colour={colour} />}
    </>
  );
}

/** In which scheme the chosen colour would not be readable, and which shade is used instead. */
function Contrast({ colour }: { colour: string }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { light, dark, chosen } = accentPalette(colour);
  const moved = [
    { scheme: 'LIGHT', shade: light.accent, ...chosen.light },
    { scheme: 'DARK', shade: dark.accent, ...chosen.dark },
  ].filter(({ readable }) => !readable);
  return (
    <div role="status" className="stack gap-1 muted small">
      {moved.length === 0 ? (
        <p>{t('BRANDING.CONTRAST.FINE')}</p>
      ) : (
        moved.map(({ scheme, shade, contrast }) => (
          <p key={scheme}>
            <span className="branding-swatch" style={{ background: shade }} aria-hidden="true" />
            {t(`BRANDING.CONTRAST.${scheme}`, { contrast: formats.number(contrast), shade })}
          </p>
        ))
      )}
    </div>
  );
}
