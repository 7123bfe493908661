import { describe, expect, it } from 'vitest';
import type { Capabilities, ListedLayer } from './capabilities/read-capabilities.ts';
import { createLayerRights, mergeListed, type LayerRules } from './layer-rights.ts';
import { listedLayer } from './testing/listed-layer.ts';

const rules: LayerRules = {
  layers: new Map([
    ['water:wells', { access: 'right', right: 'WELLS' }],
    ['staff:news', { access: 'open', right: null }],
    ['staff:plain', { access: 'inherited', right: null }],
  ]),
  workspaces: new Map([
    ['staff', { access: 'right', right: 'STAFF' }],
    ['', { access: 'inherited', right: null }],
  ]),
};
const listed = [
  listedLayer('water:wells'),
  listedLayer('water:rivers'),
  listedLayer('staff:news'),
  listedLayer('staff:plain'),
  listedLayer('staff:rivers'),
  listedLayer('overview', ['water:wells', 'water:rivers']),
];

describe('MAP-2: the rights that a layer takes', () => {
  const { rightsFor, visible } = createLayerRights(listed, rules);
  const of = (name: string, workspace: string | null = null) => {
    const rights = rightsFor(name, workspace);
    return rights === null ? null : [...rights];
  };

  it.each([
    ['by its own rule', 'water:wells', null, ['WELLS']],
    ['where none is set', 'water:rivers', null, []],
    ['of its workspace', 'staff:plain', null, ['STAFF']],
    ['where it is open in a guarded workspace', 'staff:news', null, []],
    ['in another case', 'WATER:Wells', null, ['WELLS']],
    ['without its workspace', 'wells', null, ['WELLS']],
    ['of every layer that a name could mean', 'rivers', null, ['STAFF']],
    ['in the service of its workspace', 'wells', 'water', ['WELLS']],
    ['with its prefix in the service of its workspace', 'water:wells', 'water', ['WELLS']],
    // GeoServer draws `staff:rivers` for both, where that is its default workspace.
    ['in the service of a workspace in another case', 'rivers', 'Water', null],
    ['in the service of a workspace that is not there', 'overview', 'nowhere', null],
    ['of all layers in a group', 'overview', null, ['WELLS']],
    ['of a group in the service of a workspace', 'overview', 'water', ['WELLS']],
    ['of another workspace than the path names', 'water:wells', 'staff', null],
    ['that is not listed', 'water:secret', null, null],
    ['that is named with an empty name', '', null, null],
  ])('are found for one %s', (_what, name, workspace, expected) => {
    expect(of(name, workspace)).toEqual(expected);
  });

  it('leave of a group what the person may see', () => {
    expect(visible('overview', null, new Set())).toBe('parts');
    expect(visible('overview', null, new Set(['WELLS']))).toBe('whole');
    expect(visible('water:wells', null, new Set())).toBe('none');
  });

  it('are those of all layers where nothing else decides', () => {
    const closed: LayerRules = {
      layers: new Map(),
      workspaces: new Map([['', { access: 'right', right: 'ALL' }]]),
    };
    expect([...(createLayerRights(listed, closed).rightsFor('water:rivers', null) ?? [])]).toEqual(['ALL']);
  });

  it('are those of the layer that another service lists with a prefix', () => {
    const capabilities = (layers: ListedLayer[]): Capabilities => ({
      title: '',
      layers,
      projections: [],
      formats: [],
      infoFormats: [],
    });
    const merged = mergeListed(capabilities([listedLayer('countries')]), [
      capabilities([listedLayer('ms:countries'), listedLayer('ms:more')]),
    ]);
    expect(merged.map(({ name }) => name)).toEqual(['countries', 'ms:more']);
    const guarded: LayerRules = {
      layers: new Map([['countries', { access: 'right', right: 'ATLAS' }]]),
      workspaces: new Map(),
    };
    expect([...(createLayerRights(merged, guarded).rightsFor('ms:countries', null) ?? [])]).toEqual([
      'ATLAS',
    ]);
  });
});
