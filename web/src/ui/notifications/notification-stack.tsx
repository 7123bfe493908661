import { type FocusEvent, type MouseEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { Button, IconButton } from '../button.tsx';
import { Icon, type IconName } from '../icon.tsx';
import { uppermostModal, watchModals } from '../modal-stack.ts';
import {
  type NotificationKind,
  type Notifications,
  notifications as pageNotifications,
  type ShownNotification,
} from './notifications.ts';
import './notification-stack.css';

const icons: Record<NotificationKind, readonly [IconName, colour: 'ok' | 'info' | 'medium' | 'high']> = {
  success: ['check-circle', 'ok'],
  info: ['info', 'info'],
  warning: ['warning', 'medium'],
  error: ['alert', 'high'],
};

type StackProps = {
  texts: { region: string; close: string };
  store?: Notifications;
};

/**
 * Shows the notifications, top right, above everything: in the top layer, and inside the uppermost modal
 * dialog while one is open, since everything outside it is inert.
 */
export function NotificationStack({ texts, store = pageNotifications }: StackProps) {
  const [layer] = useState(() => {
    const element = document.createElement('div');
    element.className = 'notifications';
    element.popover = 'manual';
    return element;
  });
  const shown = useSyncExternalStore(store.subscribe, store.current, store.current);

  useEffect(() => {
    const isOpen = () => layer.matches(':popover-open');
    const follow = () => {
      const some = store.current().length > 0;
      if (some && !isOpen()) layer.showPopover();
      else if (!some && isOpen()) layer.hidePopover();
    };
    const raise = () => {
      const home = uppermostModal() ?? document.body;
      if (layer.parentElement !== home) {
        home.append(layer);
        // The moved element loses the pointer and the focus without an event, so its notifications are released.
        for (const { key } of store.current()) store.release(key);
      }
      if (isOpen()) layer.hidePopover();
      follow();
    };
    raise();
    const stops = [watchModals(raise), store.subscribe(follow)];
    return () => {
      for (const stop of stops) stop();
      layer.remove();
    };
  }, [layer, store]);

  return createPortal(
    <div role="region" aria-label={texts.region} className="notifications-list">
      {shown.map((one) => (
        <OneNotification key={one.key} one={one} closeLabel={texts.close} store={store} />
      ))}
    </div>,
    layer,
  );
}

type OneProps = { one: ShownNotification; closeLabel: string; store: Notifications };

function OneNotification({ one, closeLabel, store }: OneProps) {
  const card = useRef<HTMLDivElement>(null);
  const [icon, colour] = icons[one.kind];
  const urgent = one.kind === 'warning' || one.kind === 'error';

  // The replaced button may have had the pointer or the focus: without either, the notification is released.
  useEffect(() => {
    const element = card.current;
    if (element === null || element.matches(':hover') || element.contains(document.activeElement)) return;
    store.release(one.key);
  }, [one, store]);

  return (
    <div
      ref={card}
      className="notification"
      role={urgent ? 'alert' : 'status'}
      onMouseEnter={() => store.hold(one.key)}
      onMouseLeave={(event: MouseEvent<HTMLElement>) => {
        if (!event.currentTarget.contains(document.activeElement)) store.release(one.key);
      }}
      onFocus={() => store.hold(one.key)}
      onBlur={(event: FocusEvent<HTMLElement>) => {
        const next = event.relatedTarget;
        const stays = next instanceof Node && event.currentTarget.contains(next);
        if (!stays && !event.currentTarget.matches(':hover')) store.release(one.key);
      }}
    >
      <span className={colour}>
        <Icon name={icon} size={18} />
      </span>
      <div>
        {/* New nodes in a live region are announced, also if a replacement has the same text. */}
        <div key={one.call} className="notification-words">
          <p className="notification-title" dir="auto">
            {one.title}
          </p>
          {one.content === undefined ? null : (
            <p className="notification-content muted breaks" dir="auto">
              {one.content}
            </p>
          )}
        </div>
        {one.actions === undefined || one.actions.length === 0 ? null : (
          <div className="notification-actions row wrap">
            {one.actions.map((action, index) => (
              // The key is the index, so that a button stays the same and keeps the focus in another language.
              <Button key={index} small onClick={action.act}>
                {action.label}
              </Button>
            ))}
          </div>
        )}
      </div>
      <IconButton icon="close" label={closeLabel} small onClick={() => store.dismiss(one.key)} />
    </div>
  );
}
