/** An error of the chain, with what it carries in addition to its message. */
export type ChainedError = Record<string, unknown> & { code?: unknown; name?: unknown; message?: unknown };

/** An error and its causes, outermost first, eight at most; empty for what is no object. */
export function errorChain(error: unknown): ChainedError[] {
  const chain: ChainedError[] = [];
  for (let here = error; typeof here === 'object' && here !== null && chain.length < 8;) {
    const link = here as ChainedError;
    chain.push(link);
    here = link['cause'];
  }
  return chain;
}
