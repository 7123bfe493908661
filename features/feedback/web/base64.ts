// More arguments at once would overflow the stack of some browsers.
const chunk = 0x8000;

/** The bytes in base64 (RFC 4648, 4), padded. */
export async function base64Of(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let binary = '';
  for (let place = 0; place < bytes.length; place += chunk) {
    binary += String.fromCharCode(...bytes.subarray(place, place + chunk));
  }
  return btoa(binary);
}
