/** The real type of bytes, whatever type was claimed for them. */
export type Kind = {
  /** A media type without parameters. */
  contentType: string;
  /** Pixels; null where it is no picture that browsers show. */
  width: number | null;
  height: number | null;
};

/** Pictures that browsers show and that hold no script: how type and size are read. */
const pictures: Record<string, { measuredAs: string; headBytes: number }> = {
  'image/png': { measuredAs: 'png', headBytes: 1024 },
  'image/gif': { measuredAs: 'gif', headBytes: 1024 },
  'image/webp': { measuredAs: 'webp', headBytes: 1024 },
  // The size comes after previews and colour profiles.
  'image/jpeg': { measuredAs: 'jpg', headBytes: 256 * 1024 },
  // Reading one takes the square of its time.
  'image/avif': { measuredAs: 'avif', headBytes: 32 * 1024 },
};
const headBytes = 256 * 1024;
const unknown: Kind = { contentType: 'application/octet-stream', width: null, height: null };

/** Whether a browser may show it in place: a picture that can carry no script. */
export function isPicture(contentType: string): boolean {
  return Object.hasOwn(pictures, contentType);
}

/** Looks at bytes as they pass by, keeping only their beginning. */
export function watchKind(source: AsyncIterable<Uint8Array>): {
  bytes: AsyncIterable<Uint8Array>;
  /** The type, once all bytes have passed. */
  kind(): Promise<Kind>;
} {
  const head: Uint8Array[] = [];
  let left = headBytes;
  const text = watchText();

  async function* passing(): AsyncGenerator<Uint8Array> {
    for await (const bytes of source) {
      if (left > 0) {
        // A copy: a view would hold the whole chunk in memory.
        head.push(Buffer.from(bytes.subarray(0, left)));
        left -= Math.min(left, bytes.byteLength);
      }
      text.see(bytes);
      yield bytes;
    }
  }

  return { bytes: passing(), kind: () => kindOf(Buffer.concat(head), text.isText()) };
}

/** The type of bytes in memory; of a text only that it is no picture. */
export function kindOfBytes(bytes: Buffer): Promise<Kind> {
  return kindOf(bytes.subarray(0, headBytes), false);
}

async function kindOf(head: Buffer, isText: boolean): Promise<Kind> {
  const contentType = await sniffed(head);
  if (contentType === null) return isText ? { ...unknown, contentType: 'text/plain' } : unknown;
  const picture = pictures[contentType];
  if (picture === undefined) return { ...unknown, contentType };
  const size = await measured(head.subarray(0, picture.headBytes), picture.measuredAs);
  // Only the first bytes are those of a picture: no browser could show it.
  return size === null ? unknown : { contentType, ...size };
}

async function sniffed(head: Buffer): Promise<string | null> {
  // Few people ever upload, so this library takes memory only from the first upload on.
  const { fileTypeFromBuffer } = await import('file-type');
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  if (found === undefined) return null;
  // An animated PNG is a PNG all the same, and is served as one.
  return found.mime === 'image/apng' ? 'image/png' : (found.mime.split(';', 1)[0] ?? null);
}

async function measured(head: Buffer, as: string): Promise<{ width: number; height: number } | null> {
  const { imageSize } = await import('image-size');
  try {
    // A copy of exactly these bytes: the library also reads beyond the end of a view into a larger buffer.
    const { type, width, height } = imageSize(new Uint8Array(head));
    return type === as && width > 0 && height > 0 ? { width, height } : null;
  } catch {
    return null;
  }
}

// What a text may hold apart from printable characters: tab, line feed, form feed, carriage return.
const control = /[\u0000-\u0008\u000b\u000e-\u001f\u007f]/;

function watchText(): { see(bytes: Uint8Array): void; isText(): boolean } {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isText = true;

  function decoded(bytes?: Uint8Array): boolean {
    try {
      return !control.test(bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true }));
    } catch {
      return false;
    }
  }

  return {
    see(bytes) {
      isText &&= decoded(bytes);
    },
    isText: () => isText && decoded(),
  };
}
