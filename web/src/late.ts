import type { AuditSubjectKind } from '#features/audit/contract/audit.ts';
import type { LateFeature } from './feature.ts';

/** Found by their path: the first page, which carries `features.ts`, does not know them. */
const files = import.meta.glob<LateFeature>('../../features/*/web/late.ts', { eager: true, import: 'late' });

export const paletteActions = Object.values(files).flatMap(({ actions = [] }) => actions);

/** Where the audit's kinds of subjects are shown. */
export const subjectScreens: Partial<Record<AuditSubjectKind, string>> = Object.fromEntries(
  Object.values(files).flatMap(({ subjects = {} }) => Object.entries(subjects)),
);
