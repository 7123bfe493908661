import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '../../../platform/i18n/catalogue-key.ts';
import type { ControlProps } from '../../../ui/field.tsx';
import { JsonInput } from '../../../ui/json-input.tsx';
import type { JsonMistake } from '../../../ui/json-mistake.ts';

type JsonPartProps = Partial<ControlProps> & {
  value: unknown;
  onValue: (value: unknown) => void;
  /** Whether a value may stand here; left out: each may. */
  accepts?: (value: unknown) => boolean;
  'aria-label'?: string;
  rows?: number;
  disabled?: boolean;
};

/** A part of a flag as JSON; what cannot be read stays in the field and is not passed on. */
export function JsonPart({ value, onValue, accepts = () => true, rows = 4, ...control }: JsonPartProps) {
  const describeMistake = useMistakes();
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
      describeMistake={describeMistake}
      onValue={(text) => {
        const read = readJson(text);
        const next = read === undefined || !accepts(read) ? undefined : read;
        setTyped({ text, of: next === undefined ? written : (JSON.stringify(next, null, 2) ?? '') });
        if (next !== undefined) onValue(next);
      }}
    />
  );
}

/** A mistake in a JSON text, in words. */
export function useMistakes(): (mistake: JsonMistake) => string {
  const { t } = useTranslation();
  return ({ line, column, reason, found }) =>
    t(`FLAGS.JSON.${catalogueKey(reason)}`, { line, column, found });
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
