import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import type { Comparison, Spread } from './paired.ts';
import { pinned } from './processes.ts';

/** One line of the table. */
export type Row = {
  name: string;
  /** What was measured, for people. */
  figure: string;
  /** What is promised, or null for a figure without a promise. */
  promise: string | null;
  /** Null where nothing is promised or nothing could be measured. */
  met: boolean | null;
};

/** A row with a share of the bare server's requests a second. */
export function shareRow(name: string, comparison: Comparison, atLeast: number, note = ''): Row {
  const { ratio, perSecond, cpu } = comparison;
  return {
    name,
    figure:
      `${share(ratio)} of bare; ${count(perSecond.portico)} : ${count(perSecond.bare)} a second; ` +
      `${cpu.portico.toFixed(1)} : ${cpu.bare.toFixed(1)} µs of processor`,
    promise: `≥ ${atLeast}${note}`,
    met: ratio.median >= atLeast,
  };
}

/** A row with a multiple of what the bare server needs. */
export function multipleRow(name: string, multiple: Spread, figure: string, atMost: number): Row {
  return {
    name,
    figure: `${share(multiple)} × bare; ${figure}`,
    promise: `≤ ${atMost} × bare`,
    met: multiple.median <= atMost,
  };
}

export function limitRow(name: string, value: number, unit: string, atMost: number, note: string): Row {
  const digits = unit === 's' || (unit === '%' && value < 1) ? 2 : 0;
  return {
    name,
    figure: `${value.toFixed(digits)} ${unit}${note}`,
    promise: `≤ ${atMost} ${unit}`,
    met: value <= atMost,
  };
}

/** A row for what could not be measured on this machine, with the reason. */
export function unmeasuredRow(name: string, why: string): Row {
  return { name, figure: `not measured: ${why}`, promise: null, met: null };
}

function share({ median, low, high }: Spread): string {
  return `${median.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`;
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en');
}

/** Prints the machine and its load, without which no figure means anything. */
export function printHead(): void {
  const [processor] = cpus();
  console.log(
    [
      `Node ${process.versions.node}, ${availableParallelism()} × ${processor?.model ?? 'unknown processor'}, ` +
        `${(totalmem() / 2 ** 30).toFixed(0)} GiB; load before: ${loadavg()[0]?.toFixed(2)}`,
      pinned
        ? 'Server on one core, client on another.'
        : 'Not pinned (no taskset, or one core): server and client disturb each other.',
      'Ratios are medians of paired rounds, with their quartiles; Portico : bare node:http.',
      '',
    ].join('\n'),
  );
}

/** Prints one row, as soon as it is known. */
export function printRow(row: Row): void {
  const verdict = row.met === null ? '' : row.met ? 'met' : 'NOT MET';
  console.log(
    `${row.name}\n    ${row.figure}\n    ${[row.promise ?? 'no promise', verdict].join('  ').trimEnd()}`,
  );
}
