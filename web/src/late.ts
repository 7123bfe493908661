import type { AuditSubjectKind } from '#features/audit/contract/audit.ts';
import type { AttentionItem } from '#features/overview/contract/overview.ts';
import type { AttentionLine, LateFeature } from './feature.ts';

/** The files `late.ts`, found by path: the first page includes `features.ts`, which must not import them. */
const files = import.meta.glob<LateFeature>('../../features/*/web/late.ts', { eager: true, import: 'late' });

export const paletteActions = Object.values(files).flatMap(({ actions = [] }) => actions);

/** The path of the screen for each kind of subject in the audit. */
export const subjectScreens: Partial<Record<AuditSubjectKind, string>> = Object.fromEntries(
  Object.values(files).flatMap(({ subjects = {} }) => Object.entries(subjects)),
);

const lines = Object.assign({}, ...Object.values(files).map(({ attention }) => attention)) as Record<
  AttentionItem['kind'],
  AttentionLine<AttentionItem>
>;

/** How the row of an item that needs attention looks, reads and links. */
export const lineOf = (item: AttentionItem) => lines[item.kind];
