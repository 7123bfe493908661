import { getErrorEvent } from '#features/diagnostics/contract/diagnostics.ts';
import {
  listSourceMaps,
  removeSourceMaps,
  sourceMapLimits,
} from '#features/diagnostics/contract/source-maps.ts';
import { getFile } from '#features/files/contract/files.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { addError } from '#server/testing/errors.ts';
import { engines } from '#server/testing/fresh-database.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { request } from '#server/testing/route-request.ts';
import { signIn, type SignedIn } from '#server/testing/signed-in.ts';
import { smallMap, uploadMap } from '#server/testing/source-map.ts';
import { bytesOf } from '#features/files/server/files.store.ts';

const hourMs = 3_600_000;

/** A stack as browsers send it minified: `n`, called by `t`. */
const frames = [
  { filename: 'https://shop.test/assets/main.js', function: 't', lineno: 1, colno: 41 },
  { filename: 'https://shop.test/assets/main.js?v=1', function: 'n', lineno: 1, colno: 11 },
];
const eventWith = (more: object) => ({
  exception: { values: [{ type: 'Error', value: 'x', stacktrace: { frames } }] },
  ...more,
});

/** Columns 0 to 19 are line 4 of `src/load.ts`, those from 20 on line 9 of `src/main.ts`, which calls `load`. */
const twoSources = {
  version: 3,
  sources: ['webpack://shop/./src/load.ts', '../../src/<b>main</b>.ts'],
  sourcesContent: [smallMap.sourcesContent[0], null],
  names: ['load'],
  mappings: 'AAGE,oBCKEA',
};

async function shownFrames(app: TestApp, operator: SignedIn, event: object, release = '1.0.0') {
  const { id } = await addError(app, { events: [{ at: Date.now(), release, sample: event }] });
  const answer = await operator.call(getErrorEvent, { params: { errorId: id, event: 'latest' } });
  const { sample } = answer.body;
  return { frames: sample?.errors[0]?.frames ?? [], without: sample?.withoutSourceMap ?? [] };
}

describe.each(engines)('source maps on %s', (engine) => {
  it('DIAG-2: put the original places into a stack, by release and path or by debug id, and nothing else', async () => {
    const app = await startApp({ engine });
    const operator = await signIn(app, { roles: ['operator'] });
    const before = await shownFrames(app, operator, eventWith({}));
    expect(before.frames.map(({ function: name }) => name)).toEqual(['n', 't']);
    expect(before.without).toEqual([
      'https://shop.test/assets/main.js?v=1',
      'https://shop.test/assets/main.js',
    ]);

    const upload = (query: string) => uploadMap(app.url, operator.accessToken, { map: twoSources, query });
    const debugId = '4F8B1E9C-0000-4000-8000-00000000ABCD';
    expect((await upload(`release=1.0.0&file=/main.js&debugId=${debugId}`)).status).toBe(201);
    const after = await shownFrames(app, operator, eventWith({}));
    expect(after.without).toEqual([]);
    expect(after.frames[0]).toMatchObject({
      file: 'src/load.ts',
      function: 'load',
      line: 4,
      column: 3,
      inApp: true,
      generated: { file: 'https://shop.test/assets/main.js?v=1', function: 'n', line: 1, column: 11 },
    });
    expect(after.frames[0]?.context).toContainEqual({ line: 4, text: '  throw new Error();' });
    expect(after.frames[1]).toMatchObject({
      file: 'src/<b>main</b>.ts',
      function: 't',
      line: 9,
      context: [],
    });

    expect((await shownFrames(app, operator, eventWith({}), '2.0.0')).frames[0]?.generated).toBeNull();
    const images = frames.map(({ filename }) => ({
      type: 'sourcemap',
      code_file: filename,
      debug_id: debugId.toLowerCase(),
    }));
    const byId = await shownFrames(app, operator, eventWith({ debug_meta: { images } }), '2.0.0');
    expect(byId.frames[0]).toMatchObject({ file: 'src/load.ts', line: 4 });
  });
});

describe('source maps', () => {
  async function start() {
    const clock = movableClock();
    const app = await startApp({ engine: 'sqlite', clock });
    const operator = await signIn(app, { roles: ['operator'] });
    const upload = (map: unknown, query?: string) =>
      uploadMap(app.url, operator.accessToken, { map, ...(query === undefined ? {} : { query }) });
    return { app, clock, operator, upload };
  }

  it('DIAG-2: one of the same script and release replaces the one before, and all of a release are removed together', async () => {
    const { app, operator, upload } = await start();
    await upload(smallMap);
    await upload({ ...smallMap, names: ['other'] });
    await upload(smallMap, 'release=1.0.0&file=/assets/other.js');
    await upload(smallMap, 'release=2.0.0&file=/assets/main.js');
    const releases = async () =>
      (await operator.call(listSourceMaps, {})).body.releases.map(({ release, files }) => [release, files]);
    expect(new Map((await releases()) as [string, number][])).toEqual(
      new Map([
        ['1.0.0', 2],
        ['2.0.0', 1],
      ]),
    );
    const gone = await operator.call(removeSourceMaps, { query: { release: '1.0.0' } });
    expect(gone.body).toEqual({ removed: 2 });
    expect(await releases()).toEqual([['2.0.0', 1]]);
    expect((await operator.call(removeSourceMaps, { query: { release: '1.0.0' } })).status).toBe(404);
    expect(await app.database.read.selectFrom('file').select('owner').execute()).toEqual([
      { owner: 'source-maps' },
    ]);
  });

  it('DIAG-2, FILE-1: are nobody’s file: not readable, not in a quota, and stay while a sweep removes what no row names', async () => {
    const { app, clock, operator, upload } = await start();
    await upload(smallMap);
    const [file] = await app.database.read.selectFrom('file').select('id').execute();
    const answer = await request(app.url, getFile, {
      params: { fileId: file?.id ?? '' },
      accessToken: operator.accessToken,
    });
    expect(answer.status).toBe(404);
    expect(await bytesOf(app.database.read, operator.id)).toBe(0);
    expect(await bytesOf(app.database.read, null)).toBe(0);
    clock.move(2 * hourMs);
    await app.sweep();
    expect(
      (await shownFrames(app, await signIn(app, { roles: ['operator'] }), eventWith({}))).frames[0]?.line,
    ).toBe(3);
  });

  it('DIAG-1, DIAG-2: those of Portico’s own web are read from its build for project 1, and never served', async () => {
    const { app, operator } = await start();
    const built = join(inject('webDir'), 'assets', 'of-source-maps-test.js');
    writeFileSync(built, 'throw 1');
    writeFileSync(`${built}.map`, JSON.stringify(smallMap));
    const filename = `${app.url}/assets/of-source-maps-test.js`;
    const event = {
      exception: { values: [{ stacktrace: { frames: [{ filename, lineno: 1, colno: 1 }] } }] },
    };
    expect((await shownFrames(app, operator, event)).frames[0]).toMatchObject({
      file: 'src/load.ts',
      line: 3,
    });
    expect((await fetch(filename)).status).toBe(200);
    expect((await fetch(`${filename}.map`)).status).toBe(404);
  });

  it('DIAG-2, API-1: what is no source map is refused, and so is a path or id that is none', async () => {
    const { app, upload } = await start();
    for (const [what, map] of [
      ['no JSON', '{"version":3'],
      ['a list', []],
      ['another version', { ...smallMap, version: 2 }],
      ['no mappings', { ...smallMap, mappings: undefined }],
      ['mappings that are none', { ...smallMap, mappings: 'AAEAA!' }],
      ['sources that are no names', { ...smallMap, sources: [{ toString: 'x' }] }],
      [
        'sections in sections',
        { version: 3, sections: [{ offset: { line: 0, column: 0 }, map: { version: 3, sections: [] } }] },
      ],
      ['too many sections', { version: 3, sections: Array.from({ length: 1_001 }, () => ({})) }],
      ['JSON that is very deep', `${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}`],
      ['a map that is deep', { ...smallMap, x: JSON.parse(`${'['.repeat(64)}${']'.repeat(64)}`) as unknown }],
      ['a map of crumbs', { ...smallMap, x: Array.from({ length: 500_000 }, () => []) }],
      ['no text', '\u0000'],
    ] as const) {
      const answer = await upload(map);
      expect([what, answer.status, answer.json?.['errors']]).toEqual([
        what,
        422,
        [expect.objectContaining({ pointer: '/map', code: 'format' })],
      ]);
    }
    const tooLarge = await upload('x'.repeat(sourceMapLimits.fileBytes + 1));
    expect([tooLarge.status, tooLarge.code]).toEqual([413, 'TOO_LARGE']);
    for (const query of [
      'file=main.js',
      'file=/a%20b.js',
      'file=/a.js%3Cb%3E',
      'file=/a.js&debugId=1',
      'file=/',
    ])
      expect((await upload(smallMap, `release=1&${query}`)).code).toBe('INVALID_REQUEST');
    expect(await app.database.read.selectFrom('source_map').select('id').execute()).toEqual([]);
  });
});
