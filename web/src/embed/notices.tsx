import texts from 'virtual:texts/COMMON.CLOSE+COMMON.WARNINGS.PERMISSIONS_UPDATED+PAGES.SIGNED_OUT+RIGHTS.*.LABEL+SHELL.NOTIFICATIONS';
import { useEffect } from 'react';
import { RightsWarning } from '#features/permissions/web/rights-warning.tsx';
import type { RightsChange } from '#features/permissions/web/rights-change.ts';
import type { Readable } from '../platform/state/store.ts';
import { useStore } from '../platform/state/use-store.ts';
import { NotificationStack } from '../ui/notifications/notification-stack.tsx';
import { dismiss, notify } from '../ui/notifications/notifications.ts';
import type { EmbedPage } from './page.ts';
import { drawPart, type PartPlace, useTranslation } from './draw-part.tsx';
import type { LoadTexts } from './texts.ts';

/** The texts of notifications, in one language. */
export const loadNoticeTexts: LoadTexts = (language) => texts[language]();

type NoticesProps = {
  page: EmbedPage;
  change: Readable<RightsChange | null>;
  onRead: () => void;
  /** Whether to show that the session has ended. */
  ended: Readable<boolean>;
};

/** Draws the notifications in the corner, and the two that Portico itself shows. Loaded with the first one. */
export function drawNotices(place: PartPlace, parts: NoticesProps): void {
  drawPart(place, <Notices {...parts} />);
}

function Notices({ page, change, onRead, ended }: NoticesProps) {
  const { t } = useTranslation();
  return (
    <>
      <RightsWarning change={useStore(change)} onClose={onRead} onReload={() => window.location.reload()} />
      <EndedNotice page={page} isEnded={useStore(ended)} />
      <NotificationStack texts={{ region: t('SHELL.NOTIFICATIONS'), close: t('COMMON.CLOSE') }} />
    </>
  );
}

const endedKey = 'portico.session-ended';

function EndedNotice({ page, isEnded }: { page: EmbedPage; isEnded: boolean }) {
  const { t } = useTranslation();
  const state = useStore(page.session.state);
  const reason = state.status === 'signed-out' ? state.reason.toUpperCase() : 'ENDED';
  const provider = useStore(page.embedStatus.known)?.provider ?? '';
  useEffect(() => {
    if (!isEnded) {
      dismiss(endedKey);
      return;
    }
    const words = (of: string) => {
      const key = `PAGES.SIGNED_OUT.${reason}_${of}`;
      const text = t(key, { provider });
      return text === key ? null : text;
    };
    const bySelf = reason === 'SIGNED-OUT';
    notify({
      kind: 'warning',
      key: endedKey,
      duration: 0,
      title: bySelf ? t('PAGES.SIGNED_OUT.TITLE') : (words('TITLE') ?? t('PAGES.SIGNED_OUT.ENDED_TITLE')),
      content: bySelf
        ? t('PAGES.SIGNED_OUT.CONTENT')
        : (words('CONTENT') ?? t('PAGES.SIGNED_OUT.ENDED_CONTENT')),
      actions: [{ label: t('PAGES.SIGNED_OUT.ACTION'), act: page.session.signIn }],
    });
  }, [isEnded, reason, provider, t, page]);
  return null;
}
