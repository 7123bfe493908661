import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Drawing } from '#web/ui/icon.tsx';
import { Popover } from '#web/ui/popover.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { parsePlace } from '../coordinates/parse-place.ts';
import type { ChosenFormat } from '../coordinates/use-coordinate-format.ts';
import type { MapEngine } from '../view/map-engine.ts';
import { drawings } from './drawings.ts';

/** A place is shown at least as near as that. */
const nearEnough = 8;

type GoToProps = { engine: MapEngine | null; format: ChosenFormat; onGo: () => void };

/** Shows the place of coordinates that are typed or pasted. */
export function GoTo({ engine, format, onGo }: GoToProps) {
  const { t } = useTranslation();
  return (
    <Popover
      label={t('MAP.GO_TO.TITLE')}
      button={<Drawing path={drawings.place} />}
      buttonClassName="button button-quiet button-icon"
      className="map-go-to"
      align="end"
    >
      {(close) => <GoToForm engine={engine} format={format} onGo={onGo} onDone={close} />}
    </Popover>
  );
}

function GoToForm({ engine, format, onGo, onDone }: GoToProps & { onDone: () => void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState(false);
  function go(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    const place = parsePlace(typed, format.letters);
    setWrong(place === null);
    if (place === null || engine === null) return;
    onGo();
    engine.goTo({ center: place, zoom: Math.max(nearEnough, engine.position().zoom) });
    engine.highlight(place, null);
    onDone();
  }
  return (
    <form onSubmit={go} noValidate>
      <Field
        label={t('MAP.GO_TO.LABEL')}
        hint={t('MAP.GO_TO.HINT', { example: format.write([11.57549, 48.13743]) })}
        error={wrong ? t('MAP.GO_TO.WRONG') : null}
      >
        {(control) => (
          <TextInput
            {...control}
            data-autofocus=""
            value={typed}
            maxLength={100}
            autoComplete="off"
            onValue={setTyped}
          />
        )}
      </Field>
      <Button tone="primary" type="submit">
        {t('MAP.GO_TO.ACTION')}
      </Button>
    </form>
  );
}
