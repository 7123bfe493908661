import type { ProblemWords } from '../../../platform/forms/problems-of.ts';

const text = 'ROLES_AND_RIGHTS.ERRORS.TEXT';

const codes: ProblemWords<never>['codes'] = {
  LAST_ADMINISTRATOR: 'ROLES_AND_RIGHTS.ERRORS.LAST_ADMINISTRATOR',
  CONFLICT: 'ROLES_AND_RIGHTS.ERRORS.TOO_MANY',
};

export const rightWords: ProblemWords<'right' | 'label' | 'description' | 'area'> = {
  fields: {
    right(t, { code, message }) {
      if (code === 'taken') return t('ROLES_AND_RIGHTS.ERRORS.RIGHT_TAKEN');
      return t(`ROLES_AND_RIGHTS.ERRORS.${message.includes('FF_') ? 'RESERVED' : 'RIGHT_NAME'}`);
    },
    label: text,
    description: text,
    area: text,
  },
  codes,
};

export const roleWords: ProblemWords<'role' | 'name' | 'description'> = {
  fields: {
    role: { taken: 'ROLES_AND_RIGHTS.ERRORS.ROLE_TAKEN', else: 'ROLES_AND_RIGHTS.ERRORS.ROLE_NAME' },
    name: { taken: 'ROLES_AND_RIGHTS.ERRORS.ROLE_TAKEN', else: text },
    description: text,
  },
  codes,
};

export const mappingWords: ProblemWords<'name'> = {
  fields: { name: { taken: 'ROLES_AND_RIGHTS.ERRORS.GROUP_TAKEN', else: text } },
  codes,
};

export const removalWords: ProblemWords<never> = { fields: {}, codes };
