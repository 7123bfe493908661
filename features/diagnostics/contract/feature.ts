export const rights = [
  { right: 'DIAGNOSTICS_READ', area: 'diagnostics', roles: ['support'] },
  { right: 'DIAGNOSTICS_WRITE', area: 'diagnostics', roles: ['support'] },
] as const;

export const audit = {
  'diagnostics.set': 'diagnostics',
  'diagnostics-project.add-key': 'diagnostics-project',
  'diagnostics-project.create': 'diagnostics-project',
  'diagnostics-project.delete': 'diagnostics-project',
  'diagnostics-project.revoke-key': 'diagnostics-project',
  'diagnostics-project.update': 'diagnostics-project',
  'error.assign': 'error',
  'error.comment': 'error',
  'error.delete': 'error',
  'error.ignore': 'error',
  'error.remove-comment': 'error',
  'error.reopen': 'error',
  'error.resolve': 'error',
  'source-maps.delete': 'source-maps',
  'source-maps.upload': 'source-maps',
} as const;
