import type { ProblemWords } from '../../platform/forms/problems-of.ts';

export const brandingWords: ProblemWords<'name' | 'accent' | 'mark'> = {
  fields: {
    name: 'BRANDING.ERRORS.NAME',
    accent: 'BRANDING.ERRORS.ACCENT',
    mark: {
      type: 'BRANDING.ERRORS.MARK.TYPE',
      TOO_LARGE: 'BRANDING.ERRORS.MARK.TOO_BIG',
      too_big: 'BRANDING.ERRORS.MARK.TOO_BIG',
      else: 'BRANDING.ERRORS.MARK.BROKEN',
    },
  },
  // Only the mark is large.
  fieldOf: (name, code) => (code === 'TOO_LARGE' ? 'mark' : name),
};
