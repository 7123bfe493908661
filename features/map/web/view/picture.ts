import type OlMap from 'ol/Map.js';

const longestWait = 15_000;
const margin = 12;
const line = 18;

/** The caption below the map in a picture of the map. */
export type Caption = { lines: readonly string[]; scale: { label: string; pixels: number } };

/** Colours, and the families of the caption's font. */
type Style = { background: string; paper: string; ink: string; font: string };

/** The map as it is now, with a caption, as a PNG. Pictures that take longer than 15 s are left out. */
export async function takePicture(map: OlMap, caption: Caption, style: Style): Promise<Blob> {
  await drawn(map);
  const [width, height] = map.getSize() as [number, number];
  const density = window.devicePixelRatio;
  const canvas = document.createElement('canvas');
  const captionHeight = margin * 2 + line * (caption.lines.length + 1);
  canvas.width = Math.round(width * density);
  canvas.height = Math.round((height + captionHeight) * density);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser draws no pictures.');
  context.fillStyle = style.background;
  context.fillRect(0, 0, canvas.width, canvas.height);
  drawLayers(map, context, density);
  context.setTransform(density, 0, 0, density, 0, 0);
  context.globalAlpha = 1;
  writeCaption(context, caption, style, { width, top: height, height: captionHeight });
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('No picture came about.')) : resolve(blob)),
      'image/png',
    );
  });
}

function drawn(map: OlMap): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, longestWait);
    map.once('rendercomplete', () => {
      clearTimeout(timer);
      resolve();
    });
    map.render();
  });
}

/** Draws each layer's canvas, whose style says where it is on the page. */
function drawLayers(map: OlMap, context: CanvasRenderingContext2D, density: number): void {
  const canvases = map
    .getTargetElement()
    ?.querySelectorAll<HTMLCanvasElement>('.ol-layer canvas, canvas.ol-layer');
  for (const layer of canvases ?? []) {
    if (layer.width === 0) continue;
    const opacity = layer.parentElement?.style.opacity ?? '';
    context.globalAlpha = Number((opacity === '' ? layer.style.opacity : opacity) || '1');
    const matrix = /^matrix\(([^)]*)\)$/.exec(layer.style.transform)?.[1]?.split(',').map(Number);
    const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = matrix ?? [
      Number.parseFloat(layer.style.width) / layer.width || 1 / density,
      0,
      0,
      Number.parseFloat(layer.style.height) / layer.height || 1 / density,
    ];
    context.setTransform(a * density, b * density, c * density, d * density, e * density, f * density);
    context.filter = getComputedStyle(layer.parentElement ?? layer).filter;
    context.drawImage(layer, 0, 0);
  }
  context.filter = 'none';
}

function writeCaption(
  context: CanvasRenderingContext2D,
  { lines, scale }: Caption,
  { paper, ink, font }: Style,
  { width, top, height }: { width: number; top: number; height: number },
): void {
  context.fillStyle = paper;
  context.fillRect(0, top, width, height);
  context.fillStyle = ink;
  context.textBaseline = 'top';
  for (const [index, text] of lines.entries()) {
    context.font = `${index === 0 ? '600 ' : ''}13px ${font}`;
    context.fillText(text, margin, top + margin + index * line, width - 2 * margin);
  }
  const base = top + margin + lines.length * line + 12;
  context.fillRect(margin, base, scale.pixels, 2);
  context.fillRect(margin, base - 5, 1, 7);
  context.fillRect(margin + scale.pixels - 1, base - 5, 1, 7);
  context.font = `12px ${font}`;
  context.fillText(scale.label, margin + scale.pixels + 8, base - 8);
}
