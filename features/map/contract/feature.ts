export const rights = [
  { right: 'MAP_VIEW', area: 'map', roles: ['support', 'member'] },
  { right: 'MAP_WRITE', area: 'map', roles: [] },
] as const;

export const audit = {
  'map-layer.delete': 'map-layer',
  'map-layer.update': 'map-layer',
  'map-order.update': 'map-order',
  'map-workspace.update': 'map-workspace',
} as const;
