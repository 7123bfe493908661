import { largestCapabilities, type OgcService } from './read-capabilities.ts';
import { createXmlReader, UnreadableDocument, type Element } from './xml-reader.ts';

export type CapabilitiesFilter = {
  /** Takes a part of the document; returns the text that can be sent on by now. Throws UnreadableDocument. */
  push(part: Uint8Array): string;
  end(): string;
};

export type FilterOptions = {
  service: OgcService;
  contentType: string;
  /**
   * `whole`: the layer may be asked for. `parts`: a group of which the person may see some layers; it stays
   * as a heading, without the name by which it would be asked for. `none`: nothing of it.
   */
  visible(name: string): 'whole' | 'parts' | 'none';
  /** Turns an address that the map server gives into the one by which clients reach it. */
  address(url: string): string;
};

const entries = {
  wms: { layer: 'Layer', name: 'Name' },
  wfs: { layer: 'FeatureType', name: 'Name' },
  wmts: { layer: 'Layer', name: 'Identifier' },
} as const;
const largestHeld = 1_000_000;

/** A layer that is held until it is known whether it is shown; `written` is its text so far. */
type Held = { written: string[]; size: number; shown: boolean; dropped: boolean; isRoot: boolean };

/**
 * Rewrites a capabilities document without the layers that a person may not see, with all addresses
 * leading to the guard. Streaming: a layer is held until its name is known, a group until one of its layers
 * is shown. Left out are comments, DTD, style sheets, and addresses for POST: the guard accepts only forms by POST.
 */
export function createCapabilitiesFilter(options: FilterOptions): CapabilitiesFilter {
  const { service, visible, address } = options;
  const { layer: layerElement, name: nameElement } = entries[service];
  let out: string[] = ['<?xml version="1.0" encoding="UTF-8"?>\n'];
  const held: Held[] = [];
  const path: string[] = [];
  /** The depth within an element that is left out; 0 outside of one. */
  let leftOut = 0;
  let name: { written: string; opening: string; text: string } | null = null;

  function write(text: string): void {
    const layer = held.at(-1);
    if (layer === undefined || layer.shown) {
      out.push(text);
      return;
    }
    if (layer.dropped) return;
    layer.size += text.length;
    if (layer.size > largestHeld) throw new UnreadableDocument('A layer is described at too great a length.');
    layer.written.push(text);
  }

  /** Shows the innermost layer, and so all groups that hold it. */
  function show(): void {
    for (const layer of held) {
      if (layer.shown) continue;
      for (const part of layer.written) out.push(part);
      layer.shown = true;
      layer.written = [];
    }
  }

  function openLayer(element: Element): void {
    const above = held.at(-1);
    // A layer that may be seen is seen also where the group above it is not.
    held.push({ written: [], size: 0, shown: false, dropped: false, isRoot: above === undefined });
    write(opening(element));
  }

  function closeLayer(written: string): void {
    const layer = held.at(-1) as Held;
    if (layer.isRoot && service === 'wms' && !layer.shown) show();
    write(`</${written}>`);
    held.pop();
  }

  function decide({ written, opening: begun, text }: NonNullable<typeof name>): void {
    const layer = held.at(-1) as Held;
    const verdict = visible(text.trim());
    if (verdict === 'whole') {
      write(`${begun}${escaped(text)}</${written}>`);
      show();
    } else if (verdict === 'none' && !layer.isRoot) {
      layer.dropped = true;
      layer.written = [];
    }
  }

  function opening({ written, attributes }: Element): string {
    const pairs = Object.entries(attributes).map(
      ([key, value]) => ` ${key}="${escaped(withAddresses(value)).replaceAll('"', '&quot;')}"`,
    );
    return `<${written}${pairs.join('')}>`;
  }

  /** Rewrites every address in a value: `schemaLocation` has several. */
  function withAddresses(value: string): string {
    return /https?:\/\//i.test(value) ? value.replaceAll(/https?:\/\/[^\s"<>]+/gi, address) : value;
  }

  const reader = createXmlReader(
    {
      open(element) {
        if (leftOut > 0 || element.name === 'Post') {
          leftOut += 1;
          return;
        }
        const isName = element.name === nameElement && path.at(-1) === layerElement && held.length > 0;
        path.push(element.name);
        if (element.name === layerElement && path.length > 1) openLayer(element);
        else if (isName) name = { written: element.written, opening: opening(element), text: '' };
        else write(opening(element));
      },
      text(text) {
        if (leftOut > 0) return;
        if (name !== null) name.text += text;
        else write(escaped(/^\s*https?:\/\/\S+\s*$/i.test(text) ? withAddresses(text) : text));
      },
      close(closed, written) {
        if (leftOut > 0) {
          leftOut -= 1;
          return;
        }
        path.pop();
        if (name !== null) {
          decide(name);
          name = null;
        } else if (closed === layerElement && held.length > 0) closeLayer(written);
        else write(`</${written}>`);
      },
    },
    options.contentType,
    largestCapabilities,
  );

  function taken(): string {
    const text = out.join('');
    out = [];
    return text;
  }
  return {
    push(part) {
      reader.push(part);
      return taken();
    },
    end() {
      reader.end();
      return taken();
    },
  };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
