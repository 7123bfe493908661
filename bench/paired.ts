import { openLoad } from './load-client.ts';
import type { ServerProcess } from './processes.ts';

/** How long and how often everything is measured. */
export type Effort = {
  rounds: number;
  roundMs: number;
  warmUpMs: number;
  streamRounds: number;
  starts: number;
};

export const usual: Effort = { rounds: 9, roundMs: 2_000, warmUpMs: 3_000, streamRounds: 9, starts: 5 };
export const quick: Effort = { rounds: 5, roundMs: 500, warmUpMs: 1_000, streamRounds: 5, starts: 3 };

/** One side of a comparison: a server and what it is asked. */
export type Side = { server: ServerProcess; next: () => Buffer };

export type Comparison = {
  /** Requests a second of the measured server divided by those of the bare server: the median of the rounds. */
  ratio: Spread;
  /** Requests a second. */
  perSecond: { bare: number; portico: number };
  /** The server's CPU time for each request, in microseconds. */
  cpu: { bare: number; portico: number };
};

/** Median and quartiles. */
export type Spread = { median: number; low: number; high: number };

const connections = 32;

/**
 * Measures both sides in alternating rounds, so that a disturbance of the machine affects both; each ratio compares
 * the two rounds of one pair.
 */
export async function compare(sides: { bare: Side; portico: Side }, effort: Effort): Promise<Comparison> {
  const loads = {
    bare: await openLoad(sides.bare.server.port, connections, sides.bare.next),
    portico: await openLoad(sides.portico.server.port, connections, sides.portico.next),
  };
  const rounds = {
    bare: [] as { perSecond: number; cpu: number }[],
    portico: [] as { perSecond: number; cpu: number }[],
  };

  async function round(side: 'bare' | 'portico', milliseconds: number) {
    const { server } = sides[side];
    const before = server.cpu();
    const { requests, seconds } = await loads[side].run(milliseconds);
    return { perSecond: requests / seconds, cpu: ((server.cpu() - before) * 1000) / requests };
  }

  try {
    for (const side of ['bare', 'portico'] as const) await round(side, effort.warmUpMs);
    for (let done = 0; done < effort.rounds; done += 1) {
      const order = done % 2 === 0 ? (['bare', 'portico'] as const) : (['portico', 'bare'] as const);
      for (const side of order) rounds[side].push(await round(side, effort.roundMs));
    }
  } finally {
    loads.bare.close();
    loads.portico.close();
  }
  const middle = (side: 'bare' | 'portico', what: 'perSecond' | 'cpu') =>
    spread(rounds[side].map((one) => one[what])).median;
  return {
    ratio: spread(rounds.portico.map((one, index) => one.perSecond / (rounds.bare[index]?.perSecond ?? 0))),
    perSecond: { bare: middle('bare', 'perSecond'), portico: middle('portico', 'perSecond') },
    cpu: { bare: middle('bare', 'cpu'), portico: middle('portico', 'cpu') },
  };
}

export function spread(values: readonly number[]): Spread {
  return { median: quantile(values, 0.5), low: quantile(values, 0.25), high: quantile(values, 0.75) };
}

/** The value below which a share of all values lies, interpolated between the two nearest values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}
