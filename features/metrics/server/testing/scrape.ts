/** One line of a scrape. */
export type Series = { name: string; labels: Readonly<Record<string, string>>; value: number };

/** Reads the text format of Prometheus. Throws for a line that is not in this format. */
export function readSeries(text: string): Series[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value = ''] =
        /^([a-z_:][\w:]*)(?:\{(.*)\})? (\S+)$/i.exec(line) ?? notOne(line);
      const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)",?/g)];
      return {
        name,
        labels: Object.fromEntries(pairs.map(([, key = '', of = '']) => [key, of])),
        value: Number(value),
      };
    });
}

function notOne(line: string): never {
  throw new Error(`No line of a scrape: ${line}`);
}

export async function scrape(url: string, token?: string): Promise<Series[]> {
  const answer = await fetch(`${url}/metrics`, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
  if (answer.status !== 200) throw new Error(`The scrape was answered ${answer.status}.`);
  return readSeries(await answer.text());
}

/** The value of the one series of a name that has these labels; undefined where there is none. */
export function valueOf(
  series: readonly Series[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  return series.find(
    (one) => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value),
  )?.value;
}
