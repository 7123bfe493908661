import { jsonLosses } from '#contract/rules/exact-json.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import type { ControlProps } from '#web/ui/field.tsx';
import { JsonInput } from '#web/ui/json-input.tsx';
import { jsonMistake, placeIn } from '#web/ui/json-mistake.ts';
import { parseJson } from './flag-form.ts';

type JsonPartProps = Partial<ControlProps> & {
  value: unknown;
  onValue: (value: unknown) => void;
  /** Whether a value is allowed here; left out: every value is. */
  accepts?: (value: unknown) => boolean;
  'aria-label'?: string;
  rows?: number;
  disabled?: boolean;
};

/** A field for a part of a flag as JSON; text that cannot be read stays in the field and is not passed on. */
export function JsonPart({ value, onValue, accepts = () => true, rows = 4, ...control }: JsonPartProps) {
  const mistakeIn = useMistakes();
  const { t } = useTranslation();
  const written = JSON.stringify(value, null, 2) ?? '';
  const [typed, setTyped] = useState<{ text: string; of: string } | null>(null);
  const shown = typed?.of === written ? typed.text : written;
  return (
    <JsonInput
      {...control}
      rows={Math.min(rows, Math.max(3, shown.split('\n').length))}
      value={shown}
      formatLabel={t('FLAGS.JSON.FORMAT')}
      copyLabel={t('FLAGS.JSON.COPY')}
      mistakeIn={mistakeIn}
      onValue={(text) => {
        const read = parseJson(text);
        const next = read === undefined || !accepts(read) ? undefined : read;
        setTyped({ text, of: next === undefined ? written : (JSON.stringify(next, null, 2) ?? '') });
        if (next !== undefined) onValue(next);
      }}
    />
  );
}

/** Describes the first mistake in a JSON text: a syntax error, or a value that would not be kept exactly. */
export function useMistakes(): (text: string) => string | null {
  const { t } = useTranslation();
  return (text) => {
    const mistake = jsonMistake(text);
    if (mistake !== null) return t(`FLAGS.JSON.${catalogueKey(mistake.reason)}`, mistake);
    const [loss] = jsonLosses(text);
    if (loss === undefined) return null;
    const { code, at, found } = loss;
    const reason = code === 'too_big' ? 'inexact' : code;
    return t(`FLAGS.JSON.${catalogueKey(reason)}`, { ...placeIn(text, at), found: found.slice(0, 40) });
  };
}
