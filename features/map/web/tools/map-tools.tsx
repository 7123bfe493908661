import type { MapLayer } from '#features/map/contract/map.ts';
import { type ComponentProps, type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Drawing } from '#web/ui/icon.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import { Popover } from '#web/ui/popover.tsx';
import { parsePlace } from '../coordinates/parse-place.ts';
import type { ChosenFormat } from '../coordinates/coordinate-format.ts';
import { layerTitle } from '../layers/layer-tree.ts';
import { type ShownLayer, sourcesOf } from '../layers/shown-layers.ts';
import type { Measure } from '../measure/use-measure.ts';
import { createMeasures } from '../measure/lengths.ts';
import type { MapEngine } from '../view/map-engine.ts';
import { scaleBar, scaleDenominator } from '../view/map-canvas.tsx';
import type { MapHandle } from '../view/use-map.ts';
import { useFormats } from '#web/platform/contexts.tsx';

/** The icons that the map alone has, on the grid of `ui/icon.tsx`. */
export const drawings = {
  world:
    'M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM1.5 8h13M8 1.5c2 2 2.5 4 2.5 6.5s-.5 4.5-2.5 6.5c-2-2-2.5-4-2.5-6.5S6 3.5 8 1.5z',
  distance: 'M2 11 11 2l3 3-9 9zM5 8l1.5 1.5M7.5 5.5 9 7',
  area: 'M3 3h10v10H3zM3 3h.1M13 3h.1M3 13h.1M13 13h.1',
  place: 'M8 14.5S3 10 3 6.5a5 5 0 0 1 10 0C13 10 8 14.5 8 14.5zM8 8a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3z',
  wide: 'M6 2.5H2.5V6M10 2.5h3.5V6M6 13.5H2.5V10M10 13.5h3.5V10',
  link: 'M6.5 9.5a2.5 2.5 0 0 0 3.5 0l3-3A2.5 2.5 0 0 0 9.5 3L8.5 4M9.5 6.5a2.5 2.5 0 0 0-3.5 0l-3 3A2.5 2.5 0 0 0 6.5 13l1-1',
  up: 'M8 13V3M3.5 7.5 8 3l4.5 4.5',
  down: 'M8 3v10M3.5 8.5 8 13l4.5-4.5',
  handle: 'M6 3.5h.1M10 3.5h.1M6 8h.1M10 8h.1M6 12.5h.1M10 12.5h.1',
} as const;

type MapToolsProps = {
  map: MapHandle;
  shown: readonly ShownLayer[];
  known: ReadonlyMap<string, MapLayer>;
  format: ChosenFormat;
  measure: Measure;
  /** Another tool begins. */
  onBegin: () => void;
};

/** The buttons at the edge of the map. */
export function MapTools({ map, shown, known, format, measure, onBegin }: MapToolsProps) {
  const { t } = useTranslation();
  const savePicture = useSavePicture({ map, shown, known, format });
  const { engine } = map;
  const measuring = (kind: 'distance' | 'area') => ({
    'aria-pressed': measure.kind === kind,
    onClick() {
      onBegin();
      if (measure.kind === kind) measure.end();
      else measure.begin(kind);
    },
  });
  return (
    <div className="map-card surface rounded map-tools" role="group" aria-label={t('MAP.TOOLS')}>
      <IconButton icon="plus" label={t('MAP.ZOOM_IN')} onClick={() => engine?.zoomBy(1)} />
      <IconButton icon="minus" label={t('MAP.ZOOM_OUT')} onClick={() => engine?.zoomBy(-1)} />
      <ToolButton drawing="world" label={t('MAP.WHOLE_WORLD')} onClick={() => engine?.showWorld()} />
      <GoTo engine={engine} format={format} onGo={onBegin} />
      <ToolButton drawing="distance" label={t('MAP.MEASURE.DISTANCE')} {...measuring('distance')} />
      <ToolButton drawing="area" label={t('MAP.MEASURE.AREA')} {...measuring('area')} />
      <IconButton
        icon="download"
        label={t('MAP.PICTURE.SAVE')}
        busy={savePicture.busy}
        onClick={() => void savePicture.save()}
      />
      <CopyLink />
      <FullScreen />
    </div>
  );
}

/** Copies the page's address, which follows the map. */
function CopyLink() {
  const { t } = useTranslation();
  return (
    <ToolButton
      drawing="link"
      label={t('MAP.COPY_LINK')}
      onClick={() => {
        navigator.clipboard.writeText(location.href).then(
          () => notify({ kind: 'success', title: t('MAP.LINK_COPIED') }),
          () => notify({ kind: 'warning', title: t('COMMON.COPY_FAILED') }),
        );
      }}
    />
  );
}

function FullScreen() {
  const { t } = useTranslation();
  // Not on iPhones.
  if (!document.fullscreenEnabled) return null;
  return (
    <ToolButton
      drawing="wide"
      label={t('MAP.FULL_SCREEN')}
      onClick={(event) => {
        const stage = event.currentTarget.closest('.map-stage');
        if (document.fullscreenElement === null) void stage?.requestFullscreen().catch(() => {});
        else void document.exitFullscreen();
      }}
    />
  );
}

function useSavePicture({ map, shown, known, format }: Omit<MapToolsProps, 'measure' | 'onBegin'>) {
  const { t, i18n } = useTranslation();
  const formats = useFormats();
  const [busy, setBusy] = useState(false);
  const { engine, position } = map;
  return {
    busy,
    async save(): Promise<void> {
      if (engine === null || position === null) return;
      setBusy(true);
      const titles = shown.flatMap(({ name }) => {
        const layer = known.get(name);
        const isDrawn = (map.states.get(name)?.problem ?? null) === null;
        return layer === undefined || !isDrawn ? [] : [layerTitle(layer, i18n.language)];
      });
      const bar = scaleBar(position.ground, 120);
      const scale = `${createMeasures(formats.locale).length(bar.metres)} · 1 : ${formats.number(scaleDenominator(position.ground))}`;
      const now = Date.now();
      try {
        const picture = await engine.picture({
          lines: [
            titles.length === 0 ? t('MAP.TITLE') : formats.list(titles),
            `${format.write(position.center)} · ${formats.dateTime(now)}`,
            sourcesOf(shown, known).join(' · '),
          ],
          scale: { label: scale, pixels: bar.pixels },
        });
        download(picture, `${t('MAP.PICTURE.FILE')}-${new Date(now).toISOString().slice(0, 10)}.png`);
      } catch {
        notify({ kind: 'error', title: t('MAP.PICTURE.FAILED') });
      } finally {
        setBusy(false);
      }
    },
  };
}

function download(picture: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(picture);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** The lowest zoom at which a place is shown. */
const nearEnough = 8;

type GoToProps = { engine: MapEngine | null; format: ChosenFormat; onGo: () => void };

/** Shows the place of coordinates that are typed or pasted. */
function GoTo({ engine, format, onGo }: GoToProps) {
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
    <form className="stack" onSubmit={go} noValidate>
      <TextField
        label={t('MAP.GO_TO.LABEL')}
        hint={t('MAP.GO_TO.HINT', { example: format.write([11.57549, 48.13743]) })}
        error={wrong ? t('MAP.GO_TO.WRONG') : null}
        data-autofocus=""
        value={typed}
        maxLength={100}
        autoComplete="off"
        onValue={setTyped}
      />
      <Button tone="primary" type="submit">
        {t('MAP.GO_TO.ACTION')}
      </Button>
    </form>
  );
}

type ToolButtonProps = Omit<ComponentProps<typeof Button>, 'children' | 'icon' | 'aria-label'> & {
  drawing: keyof typeof drawings;
  label: string;
};

/** A button with one of the map's own icons; its label is spoken and shown on hover. */
function ToolButton({ drawing, label, className = '', ...rest }: ToolButtonProps) {
  return (
    <Button tone="quiet" {...rest} className={`button-icon ${className}`} aria-label={label} title={label}>
      <Drawing path={drawings[drawing]} />
    </Button>
  );
}
