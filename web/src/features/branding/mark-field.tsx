import { markLimits } from '@portico/contract/branding';
import { type ChangeEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../platform/i18n/formats-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Mark } from '../../ui/mark.tsx';
import { chosenMark, type BrandingDraft } from './branding-draft.ts';

type MarkFieldProps = {
  mark: BrandingDraft['mark'];
  /** Where it is shown from; null: Portico's own. */
  url: string | null;
  error: string | undefined;
  onMark: (mark: BrandingDraft['mark']) => void;
};

/** Chooses the mark from a file. */
export function MarkField({ mark, url, error, onMark }: MarkFieldProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [tooBig, setTooBig] = useState(false);
  const file = useRef<HTMLInputElement>(null);

  function choose(event: ChangeEvent<HTMLInputElement>): void {
    const [chosen] = event.currentTarget.files ?? [];
    event.currentTarget.value = '';
    if (chosen === undefined) return;
    const fits = chosen.size <= markLimits.bytes;
    setTooBig(!fits);
    if (!fits) return;
    void chosenMark(chosen).then(onMark);
  }

  return (
    <Field
      label={t('BRANDING.MARK')}
      hint={t('BRANDING.MARK_HINT', { size: formats.number(markLimits.bytes / 1024) })}
      error={tooBig ? t('BRANDING.ERRORS.MARK.TOO_BIG') : error}
    >
      {(control) => (
        <div className="branding-row">
          <span className="branding-well">
            <Mark size={40} src={url} />
          </span>
          <input
            {...control}
            required={false}
            ref={file}
            type="file"
            accept="image/svg+xml,image/png"
            className="visually-hidden"
            onChange={choose}
          />
          <Button icon="image" onClick={() => file.current?.click()} tabIndex={-1} aria-hidden="true">
            {t('BRANDING.CHOOSE_MARK')}
          </Button>
          {mark === null ? null : (
            <Button tone="quiet" icon="trash" onClick={() => onMark(null)}>
              {t('BRANDING.REMOVE_MARK')}
            </Button>
          )}
        </div>
      )}
    </Field>
  );
}
