export type NotificationKind = 'success' | 'info' | 'warning' | 'error';

/** Plain text only. */
export type Notification = {
  kind: NotificationKind;
  title: string;
  content?: string;
  /** Milliseconds; 0 stays until it is closed. Default 4500. */
  duration?: number;
  /** A later one with the same key takes its place. */
  key?: string;
  actions?: readonly NotificationAction[];
  /** The person closed it, or its time was over. */
  onClose?: () => void;
};

export type NotificationAction = { label: string; act: () => void };

/** A notification as it is shown, with the key that closes it. */
export type ShownNotification = Omit<Notification, 'key' | 'duration'> & { key: string; duration: number };

/** How times are measured and waited for, so that a test needs no waiting. */
export type Timing = {
  now: () => number;
  /** Calls back once after so many milliseconds; gives back the way to stop. */
  after: (milliseconds: number, act: () => void) => () => void;
};

export const defaultDuration = 4500;
export const maximumShown = 8;

type Countdown = { left: number; since: number; stop: (() => void) | null };

const browserTiming: Timing = {
  now: () => performance.now(),
  after: (milliseconds, act) => {
    const timer = setTimeout(act, milliseconds);
    return () => clearTimeout(timer);
  },
};

/**
 * The notifications that are shown, the newest first (NOTE-1): each closes after its duration, which stands still
 * while it is held; the same key replaces in place and keeps the time that runs; above eight the oldest that is not
 * sticky goes.
 */
export function createNotifications(timing: Timing = browserTiming) {
  let shown: readonly ShownNotification[] = [];
  let counter = 0;
  const countdowns = new Map<string, Countdown>();
  const listeners = new Set<() => void>();

  function change(next: readonly ShownNotification[]): void {
    shown = next;
    for (const listener of listeners) listener();
  }

  function stopTime(key: string): void {
    countdowns.get(key)?.stop?.();
    countdowns.delete(key);
  }

  function runTime(key: string, countdown: Countdown): void {
    countdown.since = timing.now();
    countdown.stop = timing.after(countdown.left, () => dismiss(key));
    countdowns.set(key, countdown);
  }

  /** Closes the notification with that key; nothing happens where there is none. */
  function dismiss(key: string): void {
    const closed = shown.find((one) => one.key === key);
    if (closed === undefined) return;
    stopTime(key);
    change(shown.filter((one) => one.key !== key));
    closed.onClose?.();
  }

  /** Shows a notification; gives back the key that closes it. */
  function notify(notification: Notification): string {
    const key = notification.key ?? `notification-${(counter += 1)}`;
    const one: ShownNotification = {
      ...notification,
      key,
      duration: notification.duration ?? defaultDuration,
    };
    const running = countdowns.has(key);

    if (shown.some((other) => other.key === key))
      change(shown.map((other) => (other.key === key ? one : other)));
    else {
      const all = [one, ...shown];
      const surplus =
        all.length > maximumShown ? (all.findLast((other) => other.duration > 0) ?? all.at(-1)) : undefined;
      if (surplus !== undefined) stopTime(surplus.key);
      change(all.filter((other) => other !== surplus));
      if (surplus === one) return key;
    }

    if (one.duration === 0) stopTime(key);
    else if (!running) runTime(key, { left: one.duration, since: 0, stop: null });
    return key;
  }

  /** Its time stands still, while a pointer rests on it or it holds the focus. */
  function hold(key: string): void {
    const countdown = countdowns.get(key);
    if (countdown?.stop == null) return;
    countdown.stop();
    countdown.stop = null;
    countdown.left = Math.max(0, countdown.left - (timing.now() - countdown.since));
  }

  /** Its time goes on with what was left. */
  function release(key: string): void {
    const countdown = countdowns.get(key);
    if (countdown !== undefined && countdown.stop === null) runTime(key, countdown);
  }

  return {
    notify,
    dismiss,
    hold,
    release,
    /** The newest first; the same array until something changes. */
    current: () => shown,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

export type Notifications = ReturnType<typeof createNotifications>;

/** The page's own. */
export const notifications = createNotifications();
export const notify = notifications.notify;
export const dismiss = notifications.dismiss;
