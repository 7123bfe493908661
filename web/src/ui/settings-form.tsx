import type { ComponentProps, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { Problem } from './notice.tsx';
import { onePress } from './one-press.ts';
import { ErrorState, Skeleton } from './states.tsx';
import './screen.css';

type SettingsSectionProps<Settings> = {
  /** The id of the heading, unique on its screen. */
  id: string;
  title: string;
  lead: string;
  /** Draws a line above it. */
  divided?: boolean;
  settings: { isPending: boolean; data: Settings | undefined };
  /** Shown if the settings could not be loaded. */
  failed: Omit<ComponentProps<typeof ErrorState>, 'children'> & { text: string };
  children: (settings: Settings) => ReactNode;
};

/** A section of a settings screen: its description, and its form once the settings are loaded. */
export function SettingsSection<Settings>(props: SettingsSectionProps<Settings>) {
  const { id, title, lead, divided = false, settings, failed, children } = props;
  const { t } = useTranslation();
  const { text, ...error } = failed;
  return (
    <section className={divided ? 'section section-divided' : 'section'} aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        <p className="muted">{lead}</p>
      </div>
      {settings.isPending ? (
        <Skeleton label={t('COMMON.LOADING')} kind="text" count={3} />
      ) : settings.data === undefined ? (
        <ErrorState {...error}>{text}</ErrorState>
      ) : (
        children(settings.data)
      )}
    </section>
  );
}

type SettingsFormProps = {
  className: string;
  busy: boolean;
  /** Whether something differs from what is saved. */
  typed: boolean;
  /** The problem of the whole form, in words. */
  problem: string | undefined;
  action: string;
  onSubmit: () => void;
  children: ReactNode;
};

/** Fields, the problem, and the button that saves. */
export function SettingsForm({
  className,
  busy,
  typed,
  problem,
  action,
  onSubmit,
  children,
}: SettingsFormProps) {
  return (
    <form
      className={className}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy && typed) onePress(event.currentTarget, onSubmit);
      }}
    >
      {children}
      <Problem>{problem}</Problem>
      <div>
        {/* Not `disabled`, which would take the focus away after each save. */}
        <Button tone="primary" type="submit" busy={busy} aria-disabled={!typed}>
          {action}
        </Button>
      </div>
    </form>
  );
}
