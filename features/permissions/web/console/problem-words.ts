import type { FieldWords, ProblemWords } from '#web/platform/forms/problems-of.ts';

/** A field that has to be filled in, and one that may be empty: one line of at most so many characters. */
const filled =
  (most: number, taken?: 'ROLE_TAKEN' | 'GROUP_TAKEN'): FieldWords =>
  (t, { code }) =>
    code === 'taken' && taken !== undefined
      ? t(`ROLES_AND_RIGHTS.ERRORS.${taken}`)
      : t('ROLES_AND_RIGHTS.ERRORS.TEXT', { most });
const description: FieldWords = (t) => t('ROLES_AND_RIGHTS.ERRORS.LINE', { most: 300 });
/** The longest name of a group. */
export const mostOfGroup = 500;

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
    label: filled(100),
    description,
    area: filled(60),
  },
  codes,
};

export const roleWords: ProblemWords<'role' | 'name' | 'description'> = {
  fields: {
    role: { taken: 'ROLES_AND_RIGHTS.ERRORS.ROLE_TAKEN', else: 'ROLES_AND_RIGHTS.ERRORS.ROLE_NAME' },
    name: filled(60, 'ROLE_TAKEN'),
    description,
  },
  codes,
};

export const mappingWords: ProblemWords<'name'> = {
  fields: { name: filled(mostOfGroup, 'GROUP_TAKEN') },
  codes,
};

export const removalWords: ProblemWords<never> = { fields: {}, codes };
