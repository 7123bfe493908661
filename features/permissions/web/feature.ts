import type { Feature } from '#web/feature.ts';

export const permissionsFeature: Feature = {
  name: 'permissions',
  screens: [
    {
      path: '/roles',
      title: 'ROLES_AND_RIGHTS.TITLE',
      right: 'PEOPLE_READ',
      letter: 'e',
      nav: 'console',
      group: 'access',
      icon: 'shield',
      texts: ['ROLES_AND_RIGHTS', 'RIGHTS'],
      file: 'console/roles-screen',
    },
    {
      path: '/roles/$role',
      title: 'ROLES_AND_RIGHTS.ROLE.NAME',
      right: 'PEOPLE_READ',
      nav: 'none',
      texts: ['ROLES_AND_RIGHTS', 'RIGHTS'],
      file: 'console/own-roles/role-screen',
    },
  ],
};

export const texts = { first: ['RIGHTS.*.LABEL', 'ROLES'] };
