import type { ProblemWords } from '#web/platform/forms/problems-of.ts';

export const brandingWords: ProblemWords<'name' | 'accent' | 'mark' | 'picture' | 'contact' | 'statusUrl'> = {
  fields: {
    name: 'BRANDING.ERRORS.NAME',
    accent: 'BRANDING.ERRORS.ACCENT',
    mark: {
      type: 'BRANDING.ERRORS.MARK.TYPE',
      TOO_LARGE: 'BRANDING.ERRORS.MARK.TOO_BIG',
      too_big: 'BRANDING.ERRORS.MARK.TOO_BIG',
      else: 'BRANDING.ERRORS.MARK.BROKEN',
    },
    picture: {
      type: 'BRANDING.ERRORS.PICTURE.TYPE',
      TOO_LARGE: 'BRANDING.ERRORS.PICTURE.TOO_BIG',
      too_big: 'BRANDING.ERRORS.PICTURE.TOO_BIG',
      else: 'BRANDING.ERRORS.MARK.BROKEN',
    },
    contact: 'BRANDING.ERRORS.CONTACT',
    statusUrl: 'BRANDING.ERRORS.STATUS',
  },
  // Only the pictures are large, this one most.
  fieldOf: (name, code) => (code === 'TOO_LARGE' ? 'picture' : name),
};
