import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { pngFile } from '#server/testing/png.ts';
import { ask } from '../call.ts';

/** All fields of a flag but its key. */
export const flag = {
  type: 'boolean',
  enabled: true,
  description: '',
  defaultValue: true,
  rules: [],
  tags: [],
};
const file = { filename: 'a.png', contentType: 'image/png' };

/** Writes of all kinds, each remembered once it is acknowledged. */
export type Load = ReturnType<typeof createLoad>;

/**
 * @param pictureSide pixels of the square picture that every third report carries; they cannot be compressed
 */
export function createLoad(token: string, { lanes = 8, pictureSide = 8 } = {}) {
  /** How often each answer was received, by its status or `no answer`. */
  const answers = new Map<string, number>();
  const flags = new Set<string>();
  const reports = new Map<string, { message: string; picture: Buffer | null }>();
  /** The last acknowledged version of each entry that has one, by its path. */
  const versions = new Map<string, number>();
  let count = 0;
  let url = '';
  let over = new AbortController();
  let running: Promise<void>[] = [];

  const call = (method: string, path: string, body?: unknown) =>
    ask(url, token, method, path, body).catch(() => ({ status: 0, body: {} as Record<string, unknown> }));

  async function list<T>(path: string, name: string): Promise<T[]> {
    return ((await call('GET', path)).body[name] ?? []) as T[];
  }

  const storedFlags = () => list<{ key: string; version: number; enabled: boolean }>('/v1/flags', 'flags');

  async function write(method: string, path: string, content: unknown) {
    const answer = await call(method, path, content);
    const { status, body } = answer;
    // With status 502, the balancer says which replica broke a request off, and how.
    const outcome = status === 502 ? `502 ${String(body['text'])}` : String(status || 'no answer');
    answers.set(outcome, (answers.get(outcome) ?? 0) + 1);
    // Without this pause, a server that refuses at once would get more requests.
    if (status === 0 || status >= 400) await pause(20);
    return answer;
  }

  async function addFlag(): Promise<void> {
    const key = `flag-${(count += 1)}`;
    if ((await write('POST', '/v1/flags', { ...flag, key })).status === 201) flags.add(key);
  }

  async function addReport(): Promise<void> {
    const message = `Report ${(count += 1)}`;
    const pixels = randomBytes(pictureSide * pictureSide * 4);
    const picture = count % 3 === 0 ? pngFile({ width: pictureSide, height: pictureSide, pixels }) : null;
    const attachments = picture === null ? [] : [{ ...file, data: picture.toString('base64') }];
    const { status, body } = await write('POST', '/v1/feedback', { message, attachments });
    if (status === 201) reports.set(String(body['id']), { message, picture });
  }

  async function change(path: string, place: string, content: unknown): Promise<void> {
    const { status, body } = await write('PUT', path + place, content);
    if (status === 200) versions.set(path, Number(body['version']));
  }

  async function switchFlag(): Promise<void> {
    await write('POST', '/v1/flags', { ...flag, key: 'switched' });
    const now = (await storedFlags()).find(({ key }) => key === 'switched');
    if (now === undefined) return;
    await change('/v1/flags/switched', '/enabled', { enabled: !now.enabled, version: now.version });
  }

  async function saveProfile(): Promise<void> {
    const [person] = await list<{ id: string }>('/v1/people', 'people');
    const path = `/v1/users/${person?.id}/profile`;
    const { status, body } = await call('GET', path);
    if (status === 200) await change(path, '', { ...body, jobTitle: `Title ${(count += 1)}` });
  }

  async function work(lane: number, { signal }: AbortController): Promise<void> {
    const kinds = [saveProfile, switchFlag];
    const next = kinds[lane] ?? (lane % 2 === 0 ? addFlag : addReport);
    while (!signal.aborted) await next();
  }

  async function lostVersions(): Promise<string[]> {
    const found = await storedFlags();
    const lost: string[] = [];
    for (const [path, version] of versions) {
      const stored = path.startsWith('/v1/flags/')
        ? found.find(({ key }) => path.endsWith(`/${key}`))?.version
        : Number((await call('GET', path)).body['version']);
      if (stored === undefined || !(stored >= version)) lost.push(`${path}, version ${version}`);
    }
    const keys = new Set(found.map(({ key }) => key));
    return [...lost, ...[...flags].filter((key) => !keys.has(key)).map((key) => `flag ${key}`)];
  }

  async function lostReports(): Promise<string[]> {
    const headers = { authorization: `Bearer ${token}` };
    const lost: string[] = [];
    for (const [id, { message, picture }] of reports) {
      const { body } = await call('GET', `/v1/reports/${id}`);
      const [stored] = (body['attachments'] ?? []) as { url: string }[];
      const content = stored && Buffer.from(await (await fetch(url + stored.url, { headers })).arrayBuffer());
      const whole = picture === null ? content === undefined : content?.equals(picture) === true;
      if (body['message'] !== message || !whole) lost.push(`report ${id}: ${message}`);
    }
    return lost;
  }

  return {
    answers,
    acknowledged: () =>
      [...answers].reduce((sum, [outcome, times]) => sum + (outcome.startsWith('2') ? times : 0), 0),
    /** Begins or continues against a server at another address, or after a restart. */
    begin(address: string): void {
      url = address;
      over = new AbortController();
      running = Array.from({ length: lanes }, (_lane, lane) => work(lane, over));
    },
    /** Ends the load, and waits for the writes that are under way. */
    async end(): Promise<void> {
      over.abort();
      await Promise.all(running);
    },
    /** Lists the acknowledged writes that are not there. */
    async lost(address: string): Promise<string[]> {
      url = address;
      return [...(await lostVersions()), ...(await lostReports())];
    },
  };
}

/** Answers other than a success, a conflict of two writers, or 503 while the storage is not available. */
export function wrongAnswers({ answers }: Load, ...alsoAllowed: string[]): string[] {
  const allowed = new Set(['200', '201', '409', '503', ...alsoAllowed]);
  return [...answers]
    .filter(([outcome]) => !allowed.has(outcome))
    .map(([outcome, times]) => `${times} × ${outcome}`);
}
