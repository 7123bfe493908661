import { RetentionLine } from '../../../features/erasure/retention-line.tsx';
import { InboxScreen } from '../../../features/feedback/console/inbox-screen.tsx';

/** The reports, with how long they are stored. */
export function Inbox() {
  return (
    <>
      <InboxScreen />
      <RetentionLine />
    </>
  );
}
