import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { pngFile } from '#server/testing/png.ts';
import { ask } from '../call.ts';

/** Writes of all kinds, each remembered once it is acknowledged. */
export type Load = {
  /** How often each answer was received, by its status or `no answer`. */
  answers: Map<string, number>;
  acknowledged(): number;
  /** Begins or continues against a server at another address, or after a restart. */
  begin(url: string): void;
  /** Ends the load, and waits for the writes that are under way. */
  end(): Promise<void>;
  /** Lists the acknowledged writes that are not there. */
  lost(url: string): Promise<string[]>;
};

/** All fields of a flag but its key. */
export const flag = {
  type: 'boolean',
  enabled: true,
  description: '',
  defaultValue: true,
  rules: [],
  tags: [],
};

/**
 * @param pictureSide pixels of the square picture that every third report carries; they cannot be compressed
 */
export function createLoad(token: string, { lanes = 8, pictureSide = 8 } = {}): Load {
  const answers = new Map<string, number>();
  const flags = new Set<string>();
  const reports = new Map<string, { message: string; picture: Buffer | null }>();
  /** The last acknowledged version of each entry that has one, by its path. */
  const versions = new Map<string, number>();
  let count = 0;
  let over = new AbortController();
  let running: Promise<void>[] = [];

  const call = (url: string, method: string, path: string, body?: unknown) =>
    ask(url, token, method, path, body).catch(() => ({ status: 0, body: {} as Record<string, unknown> }));

  async function write(url: string, method: string, path: string, body: unknown) {
    const answer = await call(url, method, path, body);
    const { status, body: words } = answer;
    // With status 502, the balancer says which replica broke a request off, and how.
    const outcome =
      status === 502 ? `502 ${String(words['text'])}` : status === 0 ? 'no answer' : String(status);
    answers.set(outcome, (answers.get(outcome) ?? 0) + 1);
    // Without this pause, a server that refuses at once would get more requests.
    if (answer.status === 0 || answer.status >= 400) await pause(20);
    return answer;
  }

  async function addFlag(url: string): Promise<void> {
    const key = `flag-${(count += 1)}`;
    if ((await write(url, 'POST', '/v1/flags', { ...flag, key })).status === 201) flags.add(key);
  }

  async function addReport(url: string): Promise<void> {
    const message = `Report ${(count += 1)}`;
    const pixels = randomBytes(pictureSide * pictureSide * 4);
    const picture = count % 3 === 0 ? pngFile({ width: pictureSide, height: pictureSide, pixels }) : null;
    const attachments =
      picture === null
        ? []
        : [{ data: picture.toString('base64'), filename: 'a.png', contentType: 'image/png' }];
    const { status, body } = await write(url, 'POST', '/v1/feedback', { message, attachments });
    if (status === 201) reports.set(String(body['id']), { message, picture });
  }

  /** Switches the flag of a lane on or off. */
  async function switchFlag(url: string, lane: number): Promise<void> {
    const key = `switched-${lane}`;
    await write(url, 'POST', '/v1/flags', { ...flag, key });
    const found = (await call(url, 'GET', '/v1/flags')).body['flags'] as
      | { key: string; version: number; enabled: boolean }[]
      | undefined;
    const now = found?.find((one) => one.key === key);
    if (now === undefined) return;
    const path = `/v1/flags/${key}`;
    const body = { enabled: !now.enabled, version: now.version };
    const answer = await write(url, 'PUT', `${path}/enabled`, body);
    if (answer.status === 200) versions.set(path, Number(answer.body['version']));
  }

  async function saveProfile(url: string): Promise<void> {
    const people = (await call(url, 'GET', '/v1/people')).body['people'] as { id: string }[] | undefined;
    const [person] = people ?? [];
    if (person === undefined) return;
    const path = `/v1/users/${person.id}/profile`;
    const { status, body } = await call(url, 'GET', path);
    if (status !== 200) return;
    const answer = await write(url, 'PUT', path, { ...body, jobTitle: `Title ${(count += 1)}` });
    if (answer.status === 200) versions.set(path, Number(answer.body['version']));
  }

  async function work(url: string, lane: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (lane === 0) await saveProfile(url);
      else if (lane === 1) await switchFlag(url, lane);
      else if (lane % 2 === 0) await addFlag(url);
      else await addReport(url);
    }
  }

  async function lostVersions(url: string): Promise<string[]> {
    const found = (await call(url, 'GET', '/v1/flags')).body['flags'] as { key: string; version: number }[];
    const lost: string[] = [];
    for (const [path, version] of versions) {
      const stored = path.startsWith('/v1/flags/')
        ? found.find(({ key }) => path.endsWith(`/${key}`))?.version
        : Number((await call(url, 'GET', path)).body['version']);
      if (stored === undefined || !(stored >= version)) lost.push(`${path}, version ${version}`);
    }
    const keys = new Set(found.map(({ key }) => key));
    return [...lost, ...[...flags].filter((key) => !keys.has(key)).map((key) => `flag ${key}`)];
  }

  async function lostReports(url: string): Promise<string[]> {
    const lost: string[] = [];
    for (const [id, { message, picture }] of reports) {
      const { body } = await call(url, 'GET', `/v1/reports/${id}`);
      const [stored] = (body['attachments'] ?? []) as { url: string }[];
      const content = stored === undefined ? null : await contentAt(url + stored.url);
      const whole = picture === null ? content === null : content?.equals(picture) === true;
      if (body['message'] !== message || !whole) lost.push(`report ${id}: ${message}`);
    }
    return lost;
  }

  async function contentAt(address: string): Promise<Buffer> {
    const response = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
    return Buffer.from(await response.arrayBuffer());
  }

  return {
    answers,
    acknowledged: () =>
      [...answers].reduce((sum, [outcome, times]) => sum + (outcome.startsWith('2') ? times : 0), 0),
    begin(url) {
      over = new AbortController();
      const { signal } = over;
      running = Array.from({ length: lanes }, (_lane, lane) => work(url, lane, signal));
    },
    async end() {
      over.abort();
      await Promise.all(running);
    },
    lost: async (url) => [...(await lostVersions(url)), ...(await lostReports(url))],
  };
}

/** Answers other than a success, a conflict of two writers, or 503 while the storage is not available. */
export function wrongAnswers({ answers }: Load, ...alsoAllowed: string[]): string[] {
  const allowed = new Set(['200', '201', '409', '503', ...alsoAllowed]);
  return [...answers]
    .filter(([outcome]) => !allowed.has(outcome))
    .map(([outcome, times]) => `${times} × ${outcome}`);
}
