import { openAsBlob } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  listSourceMaps,
  removeSourceMaps,
  sourceMapLimits,
  uploadSourceMap,
} from '#features/diagnostics/contract/source-maps.ts';
import { problem } from '#contract/problem.ts';
import type { Config } from '../config.ts';
import type { Command, Option, Values } from './command.ts';
import { Failure, UsageError } from './failure.ts';
import { findSourceMaps, type FoundMap } from './find-source-maps.ts';
import { lineIn } from './values.ts';

const atOnce = 3;
/** Pauses between tries, milliseconds. */
const pausesMs = [1_000, 3_000, 10_000];
const longestPauseMs = 60_000;
const timeoutMs = 120_000;

const target = {
  url: { value: 'ADDRESS', help: 'The installation, such as https://portico.example.org', required: true },
  project: { value: 'NUMBER', help: 'The project; 1, the default, is Portico itself' },
} as const satisfies Record<string, Option>;

const release: Option = { value: 'RELEASE', help: 'As the SDK reports it, such as 1.2.3', required: true };

const withToken =
  'The API token stands in PORTICO_TOKEN, or in a file that PORTICO_TOKEN_FILE names; it needs the right';

export const sourceMapsUpload: Command = {
  summary: 'Uploads the source maps of a release, so that errors show the original source',
  about: [
    'Finds each *.js.map in a folder and the folders in it. A map is known by the debug id in its script, else by release and',
    'path; one of the same path and release is replaced. Works over the network, without the installation’s environment.',
    `${withToken} DIAGNOSTICS_WRITE.`,
  ].join('\n'),
  operand: { name: 'FOLDER', help: 'The built scripts with their maps, such as dist/' },
  options: {
    ...target,
    release,
    prefix: { value: 'PATH', help: 'Where the folder is served, such as /app/; / is the default' },
  },
  prepareOnSite(values) {
    const where = targetIn(values);
    const query = { release: lineIn(values, 'release', 1, 200), project: projectIn(values) };
    const prefix = prefixIn(values);
    const folder = resolve(values['FOLDER'] ?? '');
    return async ({ config, progress }) => {
      const call = callerOf(where, config);
      const maps = await findSourceMaps(folder).catch((error: unknown) => {
        throw new Failure(
          `${folder} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
        );
      });
      if (maps.length === 0) throw new Failure(`There is no *.js.map in ${folder}. Nothing was uploaded.`);
      const failed: { file: string; message: string }[] = [];
      let done = 0;
      const waiting = [...maps];
      const upload = async (): Promise<void> => {
        for (let map = waiting.shift(); map !== undefined; map = waiting.shift()) {
          const file = `${prefix}${map.script.slice(1)}`;
          const message = await uploadOne(call, map, { ...query, file });
          if (message !== null) failed.push({ file, message });
          done += 1;
          progress(`${done} of ${maps.length} source maps`);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, upload));
      const uploaded = maps.length - failed.length;
      return {
        result: String(uploaded),
        notes: [
          `${uploaded} of ${maps.length} source maps of ${query.release} are stored.`,
          ...failed.map(({ file, message }) => `  ${file}: ${message}`),
        ],
        json: { release: query.release, project: query.project, uploaded, failed },
        failed: failed.length > 0,
      };
    };
  },
};

export const sourceMapsList: Command = {
  summary: 'Lists the releases whose source maps are stored',
  about: `${withToken} DIAGNOSTICS_READ.`,
  options: target,
  prepareOnSite(values) {
    const where = targetIn(values);
    const project = values['project'] === undefined ? undefined : projectIn(values);
    return async ({ config }) => {
      const query = new URLSearchParams(project === undefined ? {} : { project: String(project) });
      const answer = await callerOf(where, config)(listSourceMaps, query);
      const { releases, bytes } = listSourceMaps.answer.parse(await answer.json());
      return {
        result: releases
          .map((each) => [each.release, each.projectId, each.files, each.bytes].join('\t'))
          .join('\n'),
        notes: [`${releases.length} releases, ${bytes} bytes: release, project, files, bytes.`],
        json: { releases, bytes },
      };
    };
  },
};

export const sourceMapsRemove: Command = {
  summary: 'Removes the source maps of a release',
  about: `${withToken} DIAGNOSTICS_WRITE.`,
  options: { ...target, release },
  prepareOnSite(values) {
    const where = targetIn(values);
    const query = { release: lineIn(values, 'release', 1, 200), project: String(projectIn(values)) };
    return async ({ config }) => {
      const answer = await callerOf(where, config)(removeSourceMaps, new URLSearchParams(query));
      const { removed } = removeSourceMaps.answer.parse(await answer.json());
      return {
        result: String(removed),
        notes: [`${removed} source maps of ${query.release} are removed.`],
        json: { release: query.release, removed },
      };
    };
  },
};

type Call = (
  route: { method: string; path: string },
  query: URLSearchParams,
  body?: () => Promise<FormData>,
) => Promise<Response>;

/** Returns why the map was not stored, or null. Throws Failure for a reason that stops every other file too. */
async function uploadOne(
  call: Call,
  map: FoundMap,
  query: { release: string; project: number; file: string },
): Promise<string | null> {
  if (map.bytes > sourceMapLimits.fileBytes) return `larger than ${sourceMapLimits.fileBytes} bytes`;
  const { release: of, project, file } = query;
  const search = new URLSearchParams({ release: of, project: String(project), file });
  if (map.debugId !== null) search.set('debugId', map.debugId);
  try {
    await call(uploadSourceMap, search, async () => {
      const form = new FormData();
      form.append(uploadSourceMap.form.field, await openAsBlob(map.path), 'source-map.json');
      return form;
    });
    return null;
  } catch (error) {
    if (error instanceof Refusal && error.ofThisFile) return error.message;
    throw error;
  }
}

/** The server's refusal of a call. */
class Refusal extends Failure {
  readonly ofThisFile: boolean;
  constructor(status: number, message: string) {
    super(message);
    this.ofThisFile = status === 413 || status === 422 || status === 400;
  }
}

/** Calls an installation with the token; tries again where that may help. Throws Failure. */
function callerOf(base: URL, { apiToken }: Pick<Config, 'apiToken'>): Call {
  if (apiToken === null)
    throw new Failure(
      'PORTICO_TOKEN is not set. Put an API token there, or the path of its file in PORTICO_TOKEN_FILE.',
    );
  return async ({ method, path }, query, body) => {
    const url = new URL(base);
    url.pathname = `${url.pathname.replace(/\/$/, '')}${path}`;
    url.search = String(query);
    for (let tries = 0; ; tries += 1) {
      const sent = await send(url, method, apiToken, await body?.());
      if (sent instanceof Response && sent.status >= 300 && sent.status < 400) {
        throw new Failure(
          `${base.origin} sends its callers elsewhere: ${sent.headers.get('location') ?? ''}`,
        );
      }
      if (sent instanceof Response && sent.ok) return sent;
      const wait = pausesMs[tries];
      const again = !(sent instanceof Response) || sent.status === 429 || sent.status >= 500;
      if (wait === undefined || !again) {
        if (sent instanceof Response) throw await refusalOf(sent);
        throw new Failure(`${base.origin} cannot be reached: ${sent.message}`);
      }
      await pause(Math.min(longestPauseMs, sent instanceof Response ? retryAfterMs(sent, wait) : wait));
    }
  };
}

async function send(url: URL, method: string, token: string, body?: FormData): Promise<Response | Error> {
  try {
    return await fetch(url, {
      method,
      headers: { authorization: `Bearer ${token}` },
      // Another host must not receive the token.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      ...(body === undefined ? {} : { body }),
    });
  } catch (error) {
    const { cause } = error as { cause?: unknown };
    return cause instanceof Error ? cause : (error as Error);
  }
}

function retryAfterMs(answer: Response, otherwise: number): number {
  const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : otherwise;
}

async function refusalOf(answer: Response): Promise<Refusal> {
  const text = await answer.text();
  const refused = problem.safeParse(parsed(text)).data;
  if (refused === undefined)
    return new Refusal(answer.status, `The answer was ${answer.status}, not one of Portico's.`);
  const fields = (refused.errors ?? []).map(({ pointer, message }) => `${pointer.slice(1)} ${message}`);
  return new Refusal(answer.status, [refused.detail ?? refused.title, ...fields].join('; '));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function targetIn(values: Values): URL {
  const given = values['url'] ?? '';
  const url = URL.canParse(given) ? new URL(given) : null;
  const local = url !== null && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (
    url === null ||
    !(url.protocol === 'https:' || (url.protocol === 'http:' && local)) ||
    url.username !== ''
  )
    throw new UsageError(`--url holds "${given}"; expected an https address, or http of this machine.`);
  return new URL(`${url.origin}${url.pathname}`);
}

function projectIn(values: Values): number {
  const given = values['project'] ?? '1';
  if (!/^[1-9]\d{0,8}$/.test(given))
    throw new UsageError(`--project holds "${given}"; expected the number of a project.`);
  return Number(given);
}

function prefixIn(values: Values): string {
  const given = values['prefix'] ?? '/';
  if (!/^\/(?:[\w.~-]+\/)*[\w.~-]*$/.test(given))
    throw new UsageError(`--prefix holds "${given}"; expected a path such as /app/.`);
  return given.endsWith('/') ? given : `${given}/`;
}
