import sax, { type SAXOptions, type SAXParser } from 'sax';

/** An element by its name without prefix, with attributes as they came. */
export type Element = { name: string; written: string; attributes: Record<string, string> };

/** Callbacks for the parts of a document, in their order. Texts and CDATA sections may come in several parts. */
export type XmlEvents = {
  open(element: Element): void;
  text(text: string): void;
  close(name: string, written: string): void;
};

export type XmlReader = {
  /** Throws UnreadableDocument. */
  push(part: Uint8Array): void;
  end(): void;
};

/** A document that is not well-formed, is larger than allowed, or is not the requested one. */
export class UnreadableDocument extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UnreadableDocument';
  }
}

const deepest = 60;
/** Only the five entities that XML itself has; the types do not know this setting yet. */
const settings: SAXOptions & { strictEntities: boolean } = {
  xmlns: false,
  position: false,
  strictEntities: true,
};

/**
 * Reads XML as a stream, in small parts: only the open elements are held in memory. Entities of a
 * document's own are not expanded and nothing is loaded, so that no document grows or reads a file (XXE).
 *
 * @param contentType of the answer, which may name the encoding
 * @param most bytes
 */
export function createXmlReader(events: XmlEvents, contentType: string, most: number): XmlReader {
  const parser = sax.parser(true, settings);
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  let bytes = 0;
  let depth = 0;
  Object.assign(parser, {
    onerror(error) {
      throw new UnreadableDocument('The document is not well-formed.', { cause: error });
    },
    onopentag({ name: written, attributes }) {
      depth += 1;
      if (depth > deepest) throw new UnreadableDocument('The document is too deep.');
      events.open({ name: withoutPrefix(written), written, attributes: attributes as Element['attributes'] });
    },
    onattribute({ name }) {
      // The parser calls `hasOwnProperty` on its object of attributes.
      if (name === 'hasOwnProperty')
        throw new UnreadableDocument('The document has an attribute of no schema.');
    },
    ontext: events.text,
    oncdata: events.text,
    onclosetag(written) {
      depth -= 1;
      events.close(withoutPrefix(written), written);
    },
  } satisfies Partial<SAXParser>);
  return {
    push(part) {
      bytes += part.byteLength;
      if (bytes > most) throw new UnreadableDocument('The document is too large.');
      decoder ??= new TextDecoder(encodingOf(part, contentType), { ignoreBOM: false });
      parser.write(decoder.decode(part, { stream: true }));
    },
    end() {
      if (decoder !== null) parser.write(decoder.decode());
      parser.close();
    },
  };
}

/** The name of a document's outermost element, read from its beginning; null where the beginning lacks it. */
export function rootOf(beginning: Uint8Array, contentType: string): string | null {
  let root: string | null = null;
  const events = {
    open: ({ name }: Element) => void (root ??= name),
    text: () => undefined,
    close: () => undefined,
  };
  try {
    createXmlReader(events, contentType, beginning.byteLength).push(beginning);
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error;
  }
  return root;
}

function withoutPrefix(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(colon + 1);
}

/** The encoding from the answer or the XML declaration; otherwise UTF-8. */
function encodingOf(beginning: Uint8Array, contentType: string): string {
  const line = Buffer.from(
    beginning.buffer,
    beginning.byteOffset,
    Math.min(beginning.byteLength, 200),
  ).toString('latin1');
  const named =
    /charset\s*=\s*["']?([\w.-]+)/i.exec(contentType)?.[1] ??
    /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.-]+)["']/.exec(line)?.[1] ??
    'utf-8';
  try {
    return new TextDecoder(named).encoding;
  } catch {
    return 'utf-8';
  }
}
