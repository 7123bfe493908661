import type { MaintenanceStatus } from '#features/maintenance/contract/maintenance.ts';

/**
 * What the server writes into every page, as JSON in `<script type="application/json" id="boot">`: the web's
 * environment configuration and what must not appear with a delay (START-5, MAINT-2). Nothing secret, nothing
 * personal.
 */
export type Boot = {
  /** False under `npm run dev` (START-5). */
  production: boolean;
  /** Where map services are on the application's own origin: empty, or the base path. */
  geoserverBase: string;
  /** The develop geoserver that gets the token too when not in production (SES-6), or null. */
  geoserverDevelopUrl: string | null;
  /** Rights FF_<FLAG> of the enabled local flags (RIGHT-7). */
  localFlags: string[];
  /** Whether the sign-in page can send a link for a forgotten password. */
  passwordMail: boolean;
  /** Whether the sign-in page offers to register (SES-16). */
  registration: boolean;
  /** Whether the sign-in page offers passkeys, which need a host name, TLS, and people who sign in here. */
  passkeys: boolean;
  /** The name of the provider where people sign in; null: they have a password here. */
  outsideProvider: string | null;
  /** How the installation presents itself; a null field means the default, or nothing. */
  branding: {
    product: string;
    /** The address of its mark. */
    mark: string | null;
    /**
     * What the sign-in page shows next to its form: a picture (by its address), Portico's drawing, or a panel in the
     * accent colour.
     */
    panel: { picture: string } | 'drawing' | 'accent';
    /** The contact on the maintenance page; `href` is its link; null: no link. */
    contact: { text: string; href: string | null } | null;
    statusUrl: string | null;
  };
  flags: {
    /** Origin of the flag host; empty: this installation. */
    host: string;
    clientKey: string;
    kind: 'plain' | 'remote-eval' | 'personal';
  };
  /** The status when the page was rendered; MAINTENANCE is on where its mode is `full`. */
  maintenance: Omit<MaintenanceStatus, 'serverTime'>;
  /** Milliseconds since the epoch when the page was rendered. */
  serverTime: number;
  /** The id to follow live events from: everything that this page loads is at least as new as that change. */
  eventId: string;
  /** The languages of the catalogues, the best for this request first. */
  language: 'en' | 'de' | 'fr';
  release: string;
  /**
   * Where the web sends its errors (DIAG-1): a DSN of Sentry's SDKs, and the path on this origin that takes
   * its envelopes instead of the DSN's host, or null. Null: nowhere.
   */
  faults: { dsn: string; tunnel: string | null } | null;
};
