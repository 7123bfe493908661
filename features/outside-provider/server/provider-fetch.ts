import type { ProviderConnection } from '#features/session/server/provider-client.ts';

/** Bytes of an answer; the largest key sets and tokens stay far below. */
const mostBytes = 1_000_000;

/** `fetch` for a provider's endpoints: what is too long is not read to its end. */
export const providerFetch: ProviderConnection['fetch'] = async (address, options) => {
  const { body = null, ...others } = options;
  const answer = await fetch(address, { ...others, body });
  const chunks: Uint8Array[] = [];
  let size = 0;
  const stream: AsyncIterable<Uint8Array> | null = answer.body;
  if (stream !== null) {
    for await (const chunk of stream) {
      size += chunk.byteLength;
      if (size > mostBytes) throw new Error(`The provider’s answer is longer than ${mostBytes} bytes.`);
      chunks.push(chunk);
    }
  }
  const { status, statusText, headers } = answer;
  const content = size === 0 ? null : new Uint8Array(Buffer.concat(chunks));
  return new Response(content, { status, statusText, headers });
};
