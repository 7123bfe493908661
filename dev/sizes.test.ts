import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { overBudget } from './sizes.ts';

let dist = '';
beforeEach(() => {
  dist = mkdtempSync(join(tmpdir(), 'portico-sizes-'));
});
afterEach(() => rmSync(dist, { recursive: true, force: true }));

/**
 * A built page of three files: its script, a style, and a script that it shares. Random bytes do not
 * compress.
 */
function build(manifest: string, page: string, shared: number, late: Record<string, number> = {}) {
  const chunks: Record<string, { file: string; css?: string[]; imports?: string[] }> = {
    [`${page}.html`]: { file: `${page}.js`, css: [`${page}.css`], imports: ['_shared.js'] },
    '_shared.js': { file: `${page}-shared.js`, imports: [`${page}.html`] },
    'late.tsx': { file: 'late.js' },
  };
  for (const [index, [entry, bytes]] of Object.entries(late).entries()) {
    const file = `${page}-late-${index}.js`;
    chunks[entry] = { file };
    writeFileSync(join(dist, file), randomBytes(bytes));
  }
  writeFileSync(join(dist, manifest), JSON.stringify(chunks));
  writeFileSync(join(dist, `${page}.js`), randomBytes(5_000));
  writeFileSync(join(dist, `${page}.css`), randomBytes(5_000));
  writeFileSync(join(dist, `${page}-shared.js`), randomBytes(shared));
}

/** The script for pages of applications, and what it loads for a notice. */
function buildEmbed(once: number, notice: number) {
  const sizes = { 'src/embed/entry.ts': once, 'src/embed/above.tsx': notice };
  const files = Object.entries(sizes).map(([entry, bytes], index) => {
    const file = `embed-${index}.js`;
    writeFileSync(join(dist, file), randomBytes(bytes));
    return [entry, { file }];
  });
  writeFileSync(join(dist, 'manifest.embed.json'), JSON.stringify(Object.fromEntries(files)));
}

/** The words of the home screen, what follows it, and the map. */
const home = {
  '../virtual:texts/first/de': 3_000,
  'src/app/at-rest.ts': 1_000,
  '../features/home/web/home-late.tsx': 1_000,
  '../virtual:late-texts': 1_000,
  '../virtual:texts/late/HOME_CHANGES/de': 1_000,
  '../features/map/web/map-screen.tsx': 179_000,
};

it('LOOK-4: passes pages within their budgets, wherever they were built', () => {
  build('manifest.app.json', 'index', 144_000, home);
  build('manifest.sign-in.json', 'sign-in', 19_000);
  build('manifest.maintenance.json', 'maintenance', 19_000);
  build('manifest.unavailable.json', 'unavailable', 19_000);
  buildEmbed(24_000, 11_000);
  expect(overBudget(dist)).toEqual([]);
});

it('LOOK-4: counts script, style, what is imported at once and what comes late and is named', () => {
  build('manifest.app.json', 'index', 147_000, home);
  build('manifest.sign-in.json', 'sign-in', 22_000);
  build('manifest.maintenance.json', 'maintenance', 20_000);
  build('manifest.unavailable.json', 'unavailable', 20_000);
  buildEmbed(25_000, 11_000);
  expect(overBudget(dist).filter((line) => !line.startsWith(' '))).toEqual([
    expect.stringMatching(/^home screen: 1600\d\d bytes of 160000 allowed$/),
    expect.stringMatching(/^sign-in page: 320\d\d bytes of 32000 allowed$/),
    expect.stringMatching(/^maintenance page: 300\d\d bytes of 30000 allowed$/),
    expect.stringMatching(/^portico\.js: 250\d\d bytes of 25000 allowed$/),
    expect.stringMatching(/^portico\.js with a notice: 360\d\d bytes of 36000 allowed$/),
    expect.stringMatching(/^page without storage: 300\d\d bytes of 30000 allowed$/),
  ]);
});

it('LOOK-4: counts all fonts together', () => {
  build('manifest.app.json', 'index', 144_000, home);
  build('manifest.sign-in.json', 'sign-in', 19_000);
  build('manifest.maintenance.json', 'maintenance', 19_000);
  build('manifest.unavailable.json', 'unavailable', 19_000);
  buildEmbed(24_000, 6_000);
  mkdirSync(join(dist, 'assets'));
  writeFileSync(join(dist, 'assets', 'text.woff2'), randomBytes(28_000));
  expect(overBudget(dist)).toEqual([]);
  writeFileSync(join(dist, 'assets', 'bold.woff2'), randomBytes(13_000));
  expect(overBudget(dist)).toEqual(['fonts: 41000 bytes of 40000 allowed']);
});

it('LOOK-4: fails in plain words where nothing is built, or a page is missing', () => {
  expect(overBudget(join(dist, 'nowhere'))).toEqual([expect.stringContaining('The web is not built')]);
  build('manifest.app.json', 'index', 1_000, home);
  expect(overBudget(dist)).toEqual([
    'sign-in page: web/dist has no sign-in.html',
    'maintenance page: web/dist has no maintenance.html',
    'portico.js: web/dist has no src/embed/entry.ts',
    'portico.js with a notice: web/dist has no src/embed/entry.ts',
    'page without storage: web/dist has no unavailable.html',
  ]);
});
