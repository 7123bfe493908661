// The tables, as both engines hold them: text, integers, times as integer milliseconds, JSON as text, 0/1 for
// no/yes. Each table is written by one feature's store only, named here.

import type { Generated } from 'kysely';

export type Tables = {
  /**
   * One row. `n` counts guarded changes, `at` never goes back and never repeats. Written by `database.ts`.
   */
  revision: { id: number; n: number; at: number };
  /**
   * The last change of each thing that others follow. Written by `database.ts`, read by `change-feed.ts` and
   * events.
   */
  changed: { topic: string; key: string; revision: number; at: number };
  /**
   * What was created under an id of a client, for a day. The id is stored hashed, and what was answered is
   * encrypted with a key derived from it. Written by `platform/http/creations.ts`.
   */
  creation: { key_hash: string; caller: string; content: string; answer: string; created_at: number };
  /** Small facts of the installation. Written by `platform/database/setting.ts`. */
  setting: { name: string; value: string };

  /** people */
  person: {
    id: string;
    issuer: string;
    subject: string;
    email: string;
    /** What the address looks like; written with it. */
    email_skeleton: string | null;
    created_at: number;
    last_seen_at: number | null;
    blocked_at: number | null;
    /** 1 where the provider vouches for the address; written with it. */
    email_verified: Generated<number>;
    version: number;
  };
  /** profile */
  profile: {
    person_id: string;
    first_name: string;
    last_name: string;
    /** The name, or the email address where there is none, as people are put in order and searched. */
    name_key: string;
    phone: string;
    organisation: string;
    job_title: string;
    locale: string | null;
    time_zone: string | null;
    avatar: string | null;
    version: number;
  };
  /**
   * permissions: built-in and own roles; the giver is unknown for roles that were given before it was
   * recorded
   */
  person_role: { person_id: string; role: string; given_at: number | null; given_by: string | null };
  /** permissions: rights of the operators' own (RIGHT-2) */
  own_right: { right_name: string; area: string; label: string; description: string; version: number };
  /** permissions: roles of the operators' own (RIGHT-3) */
  own_role: { role: string; name: string; description: string; version: number };
  /** permissions */
  own_role_right: { role: string; right_name: string };
  /** permissions: single rights granted or denied to single people */
  person_right: {
    person_id: string;
    right_name: string;
    effect: string;
    /** From then on it has no effect. */
    expires_at: number | null;
    /** Whether its end has been published. */
    expiry_told: number;
    reason: string;
    given_at: number;
    given_by: string;
  };
  /** permissions: which group of the provider gives roles */
  group_mapping: {
    id: string;
    kind: string;
    match: string;
    name: string;
    created_at: number;
    created_by: string;
    version: number;
  };
  /** permissions */
  group_mapping_role: { mapping_id: string; role: string };
  /** session */
  session: {
    id: string;
    secret_hash: string;
    person_id: string;
    id_token: string;
    created_at: number;
    seen_at: number;
    expires_at: number;
    /** Product names without versions, as the browser calls itself; null where it is unknown. */
    browser: string | null;
    system: string | null;
  };
  /** session */
  map_cookie: { session_id: string; handle_hash: string; expires_at: number };
  /** session: what brings a session to the host of an application, once */
  hand_over_code: {
    code_hash: string;
    session_id: string;
    host: string;
    /** The hash of what the browser that asked has in a cookie of that host. */
    challenge: string;
    expires_at: number;
  };
  /** session: the cookies of a session at the hosts of applications */
  host_session: { secret_hash: string; session_id: string; host: string; created_at: number };
  /** map: what operators decided about a layer; `key` is its name in lower case */
  map_layer: {
    key: string;
    name: string;
    access: string;
    right_name: string | null;
    on_at_first: number;
    title_en: string;
    title_de: string;
    title_fr: string;
    version: number;
  };
  /** map: the empty key is for all layers */
  map_workspace: { key: string; name: string; access: string; right_name: string | null; version: number };
  /** map: one row; `names` is a JSON list, the topmost first */
  map_order: { id: number; names: string; version: number };
  /** outside-provider: what the provider listed at the last sign-in or check; `kind` is `role` or `group` */
  person_group: { person_id: string; kind: string; name: string };
  /** outside-provider: who is found by their address at their first sign-in at another issuer (SES-8) */
  person_relink: { person_id: string; issuer: string; email: string };
  /** outside-provider: the provider's side of a session that began there (SES-4) */
  provider_session: {
    session_id: string;
    issuer: string;
    subject: string;
    /** The provider's id of its session, where it sends one. */
    sid: string | null;
    /** Sealed; null where there is none, or none that is of use. */
    refresh_token: string | null;
    /** When the provider is asked again; null: not at all. */
    next_check_at: number | null;
    /** While a process is asking; afterwards another may. */
    claimed_until: number | null;
    /** Since when the refresh token may have been used up by an answer that never came. */
    unsure_since: number | null;
    /** Tries in a row without an answer. */
    failures: number;
  };
  /** outside-provider: logout tokens that have been used */
  logout_token: { id_hash: string; expires_at: number };
  /** api-tokens: for scripts (SES-9) */
  api_token: {
    id: string;
    name: string;
    secret_hash: string;
    rights: string;
    /** The operator whose rights bound the token's, or null: the command line. */
    created_by: string | null;
    created_at: number;
    expires_at: number;
    last_used_at: number | null;
    /** The token that created it, and takes it along when it is revoked. */
    parent_id: string | null;
    revoked_at: number | null;
    revoked_by: string | null;
  };
  /** session and identity-provider: private keys as JWK */
  signing_key: {
    kid: string;
    purpose: string;
    jwk: string;
    created_at: number;
    /** From then on it signs, until another one does; it verifies before and after. */
    signs_from: Generated<number>;
  };
  /** identity-provider: who may sign in with a password */
  account: {
    id: string;
    email: string;
    password_hash: string | null;
    created_at: number;
  };
  /**
   * identity-provider: guesses at passwords, whether or not such an account exists. The key begins with the hash of
   * what was typed as email; behind it stands from where, hashed.
   */
  sign_in_guess: {
    email_hash: string;
    guesses: number;
    last_at: number;
    /** No guess is taken before this time. */
    next_try_at: number;
  };
  /** identity-provider */
  one_time_link: {
    token_hash: string;
    purpose: string;
    account_id: string | null;
    created_at: number;
    expires_at: number;
  };
  /** mail: what waits to be sent; without a token, which is made when it is sent */
  mail: {
    id: string;
    kind: string;
    account_id: string | null;
    /**
     * Whom it goes to; of a link, the address typed at "Forgot your password?": whether it has an account is
     * looked up when the mail is sent.
     */
    email: string | null;
    language: string;
    created_at: number;
    tries: number;
    /** Null: it is not tried any more. */
    next_try_at: number | null;
    /** While a process is trying; afterwards another may. */
    claimed_until: number | null;
    failure: string | null;
    /** What its composer needs to know, as that feature writes it. */
    about: string | null;
  };
  /** mail: when an address was last due to get a mail of a kind that is collected */
  mail_pause: { kind: string; email: string; last_at: number };
  /** identity-provider: what oidc-provider keeps */
  oidc_record: {
    model: string;
    id: string;
    payload: string;
    grant_id: string | null;
    uid: string | null;
    account_id: string | null;
    expires_at: number | null;
    consumed_at: number | null;
  };
  /** files: what was uploaded; the bytes are the file store's, by their hash */
  file: {
    id: string;
    /** Person or API token that uploaded it, or null: a sender who was not signed in. */
    owner: string | null;
    filename: string;
    content_type: string;
    size: number;
    /** Pixels; null where it is no picture. */
    width: number | null;
    height: number | null;
    /** SHA-256 of the bytes, hexadecimal. */
    hash: string;
    created_at: number;
  };
  /**
   * Contents that a file named once, on SQLite only: written by a trigger of `file`, read and cleared by the
   * sweep.
   */
  removed_content: { hash: string; at: number };
  /** Bytes of files in pieces, on PostgreSQL only. Written by `platform/files/file-store.ts`. */
  file_chunk: { hash: string; position: number; bytes: Uint8Array; stored_at: number };
  /** feedback */
  report: {
    id: string;
    number: number;
    event_id: string;
    /** Distinguishes the same report sent again from another one under its event id. */
    content_hash: string;
    reporter_id: string | null;
    name: string;
    email: string;
    message: string;
    source: string;
    url: string;
    associated_event_id: string | null;
    tags: string;
    context: string;
    status: string;
    search_key: string;
    created_at: number;
    /** Of anything that operators see. */
    changed_at: number;
    version: number;
    assignee_id: string | null;
    /** The id of the report of which it is a duplicate, which is none itself. */
    duplicate_of: string | null;
    /** `open`, `done` or `spam`; written with the status. */
    tab: Generated<string>;
    /** How many messages there are of each kind. */
    replies: Generated<number>;
    notes: Generated<number>;
    /** The side of the last message: `reporter` or `operator`. */
    last_word: Generated<string>;
    /** The time of the last change that its reporter can see. */
    told_at: Generated<number>;
    /** What it takes, of a sender who was not signed in; null for all others. */
    stranger_bytes: Generated<number | null>;
  };
  /**
   * feedback: append-only. `before` and `after` by `what`: `status` two statuses; `assignee` two ids of people;
   * `duplicate` two ids of reports, empty for none; `labels` two lists as JSON.
   */
  report_history: {
    id: string;
    report_id: string;
    what: Generated<string>;
    at: number;
    before: string | null;
    after: string;
    actor_kind: string;
    actor_id: string | null;
    actor_name: string;
  };
  /** feedback */
  report_picture: { report_id: string; position: number; file_id: string };
  /** feedback: what is written about a report after it was sent */
  report_message: {
    id: string;
    report_id: string;
    /** The client's own id, under which it is stored once. */
    event_id: string;
    /** `reply` or `note` */
    kind: string;
    /** `reporter` or `operator` */
    side: string;
    text: string;
    search_key: string;
    at: number;
    edited_at: number | null;
    author_kind: string;
    author_id: string | null;
    author_name: string;
  };
  /** feedback */
  report_label: { report_id: string; label: string; label_key: string };
  /** feedback: filters of the inbox by name; without an owner they are everyone's */
  report_filter: {
    id: string;
    owner_id: string | null;
    name: string;
    /** JSON. */
    filter: string;
    created_at: number;
    created_by: string;
    version: number;
  };
  /** feedback: one row */
  report_settings: {
    id: number;
    /** JSON: the addresses that receive mail about reports. */
    notified: string;
    /** Of mail to an address that is no person's. */
    language: string;
    /** JSON; null: none. */
    tracker: string | null;
    changed_at: number | null;
    changed_by: string | null;
    version: number;
  };
  /** flags */
  flag: {
    key: string;
    type: string;
    description: string;
    default_value: string;
    enabled: number;
    for_signed_out: number;
    rules: string;
    tags: string;
    created_at: number;
    changed_at: number;
    changed_by: string | null;
    version: number;
  };
  /** flags */
  client_key: {
    key: string;
    kind: string;
    name: string;
    created_at: number;
    /** Null: made at the first start. */
    created_by: string | null;
    revoked_at: number | null;
    revoked_by: string | null;
    version: number;
  };
  /** home: the applications on the home screen */
  home_app: {
    key: string;
    name: string;
    name_en: string;
    name_de: string;
    name_fr: string;
    description: string;
    description_en: string;
    description_de: string;
    description_fr: string;
    /** Null: the configuration of the gateway has it. */
    address: string | null;
    right_name: string | null;
    shown: number;
    /** Of the bytes, for the address under which they are served. */
    picture_id: string | null;
    picture_type: string | null;
    picture: Uint8Array | null;
    version: number;
  };
  /** home: one row; `keys` is a JSON list */
  home_order: { id: number; keys: string; version: number };
  /** branding: one row; null where it is Portico's own */
  branding: {
    id: number;
    name: string | null;
    accent: string | null;
    /** Of the bytes, for the address under which they are served. */
    mark_id: string | null;
    mark_type: string | null;
    mark: Uint8Array | null;
    /** On the maintenance page. */
    contact: string | null;
    status_url: string | null;
    /** Beside the sign-in. */
    picture_id: string | null;
    picture_type: string | null;
    picture: Uint8Array | null;
    changed_at: number | null;
    changed_by: string | null;
    version: number;
  };
  /** maintenance: one row */
  maintenance: {
    id: number;
    mode: string;
    text: string;
    /** JSON: the text by language. */
    texts: string;
    severity: string;
    expected_end: number | null;
    since: number | null;
    changed_at: number | null;
    changed_by: string | null;
    version: number;
  };
  /** maintenance: planned windows (MAINT-5) */
  maintenance_window: {
    id: string;
    title: string;
    text: string;
    /** JSON: texts by phase and language. */
    texts: string;
    severity: string;
    mode: string;
    starts_at: number;
    ends_at: number;
    lead_minutes: number;
    ends_by_itself: number;
    time_zone: string | null;
    /** The last one that history and webhooks have. */
    phase: string;
    /** When it ended or was cancelled. */
    over_at: number | null;
    created_at: number;
    created_by: string;
    changed_at: number;
    changed_by: string;
    version: number;
  };
  /** maintenance: append-only; `facts` is JSON */
  maintenance_history: {
    id: string;
    at: number;
    deed: string;
    window_id: string | null;
    title: string | null;
    by: string | null;
    facts: string;
  };
  /** webhooks */
  webhook: {
    id: string;
    url: string;
    description: string;
    enabled: number;
    secret: string;
    created_at: number;
    created_by: string;
    version: number;
  };
  /** webhooks: written with the change that it reports, so that neither is stored without the other */
  webhook_delivery: {
    id: string;
    webhook_id: string;
    event: string;
    body: string;
    created_at: number;
    state: string;
    tries: number;
    next_try_at: number | null;
    /** While a process is trying; afterwards another may. */
    claimed_until: number | null;
  };
  /** webhooks */
  webhook_attempt: {
    delivery_id: string;
    at: number;
    took: number;
    status: number | null;
    failure: string | null;
  };
  /** presence: the processes that hold streams, where there may be several */
  presence_process: { id: string; seen_at: number };
  /**
   * presence: the browsers that are connected to them; `person_hash` distinguishes people without naming them
   */
  presence: {
    connection_id: string;
    process_id: string;
    person_hash: string;
    tabs: number;
    unsaved: number;
  };
  /**
   * overview: figures of five minutes, of one process; how they are put together is in `activity-figures.ts`
   */
  activity: {
    /** The beginning of the five minutes. */
    at: number;
    process_id: string;
    /** The most people at a time, over all processes. */
    people: number;
    /** SDKs connected to this process at the last look. */
    sdks: number;
    /** The same by client key, as JSON. */
    sdk_keys: string;
    /** The sum of `sdks` over the minutes of `minutes`. */
    sdk_minutes: number;
    /** The minutes looked at: the first is bit 0. */
    minutes: number;
    evaluations: number;
    seen_at: number;
  };
  /** feedback: one row; which fields a report has to have besides its message */
  report_form: {
    id: number;
    /** 0 or 1. */
    name_required: number;
    email_required: number;
    changed_at: number | null;
    changed_by: string | null;
    version: number;
  };
  /** erasure: one row; how long reports are stored */
  retention: {
    id: number;
    /** Null: for good. */
    report_days: number | null;
    /** `keep` or `remove`: reports of people who are erased. */
    erased_reports: string;
    changed_at: number | null;
    changed_by: string | null;
    version: number;
  };
  /** erasure: people who are being erased; the row goes with the last look */
  erasure: {
    person_id: string;
    pseudonym: string;
    /** JSON: every address under which they are found. */
    emails: string;
    full_name: string;
    /** As `retention.erased_reports` was when it began. */
    reports: string;
    begun_at: number;
    /** Everything has been gone through once. */
    done_at: number | null;
  };
  /** diagnostics: an application whose SDKs report errors; 1 is Portico itself (DIAG-1) */
  diagnostic_project: {
    id: number;
    name: string;
    /** The DSN of another host that gets every envelope too; null: none. */
    forward_to: string | null;
    created_at: number;
    /** Null: made at the first start. */
    created_by: string | null;
    /** When an operator removed it: its errors are being deleted, and nothing shows it any more. */
    removed_at: number | null;
    version: number;
  };
  /** diagnostics: the public key in a project's DSN */
  diagnostic_key: {
    /** 32 hexadecimal digits. */
    key: string;
    project_id: number;
    created_at: number;
    created_by: string | null;
    revoked_at: number | null;
    revoked_by: string | null;
  };
  /** diagnostics: events that have kind, place and message in common */
  error_group: {
    id: string;
    project_id: number;
    /** A hash of what its events have in common. */
    fingerprint: string;
    /** The kind of error, such as `TypeError`. */
    kind: string;
    /** The message of the first event. */
    message: string;
    /** Script and function of the first frame in the application's own code. */
    place: string;
    /** `fatal`, `error`, `warning`, `info` or `debug` */
    level: string;
    /**
     * `open`, `resolved`, `ignored`, or `deleted` while its events are being deleted: then nothing shows it, and
     * its fingerprint is one that no event has.
     */
    status: string;
    resolved_at: number | null;
    /** The last release that may still have it: an event of that or an older one does not open it again. */
    resolved_in: string | null;
    /** When it last came back after it was resolved. */
    returned_at: number | null;
    first_seen_at: number;
    last_seen_at: number;
    first_release: string | null;
    last_release: string | null;
    /** All that came, whether or not they are still stored. */
    events: number;
    /** Those counted in `error_person`. */
    people: number;
    search_key: string;
    version: number;
  };
  /** diagnostics */
  error_event: {
    n: Generated<number>;
    event_id: string;
    group_id: string;
    received_at: number;
    release: string | null;
    environment: string | null;
    browser: string | null;
    system: string | null;
    /** A keyed hash of the address or id that the event names; null where it names nobody. */
    person_hash: string | null;
    /** 1: a person who was signed in sent it. Above the megabytes the others go first. */
    from_known: Generated<number | null>;
  };
  /** diagnostics: what came with an event, of a bounded number of events of each group; compressed JSON */
  error_sample: { n: number; group_id: string; size: number; payload: Uint8Array };
  /** diagnostics: events of a group in one hour, which begins at `hour`, milliseconds */
  error_count: { group_id: string; hour: number; events: number };
  /** diagnostics: events of a project in one hour, and those that a limit refused */
  project_count: { project_id: number; hour: number; events: number; refused: number };
  /** diagnostics: when the first event of a release came, for a bounded number of releases */
  project_release: { project_id: number; release: string; first_seen_at: number };
  /** diagnostics: the people who met an error, up to a bound */
  error_person: { group_id: string; person_hash: string };
  /** diagnostics: `facet` is `release`, `environment`, `browser` or `system`; a bounded number of values each */
  error_facet: { group_id: string; facet: string; value: string; events: number; last_seen_at: number };
  /** diagnostics: the last alert of a kind about an error; `kind` is `new`, `returned` or `rate` */
  error_alert: {
    group_id: string;
    kind: string;
    raised_at: number;
    /** Null while it waits to be reported together with others. */
    sent_at: number | null;
  };
  /** diagnostics: the source maps of a release, applied when a stack is shown */
  source_map: {
    id: string;
    project_id: number;
    release: string;
    /** Path of the script that it explains, such as `/assets/main-1a2b.js`. */
    file: string;
    debug_id: string | null;
    file_id: string;
    created_at: number;
    created_by: string | null;
  };
  /** diagnostics: one row */
  diagnostic_settings: {
    id: number;
    /** Events older than so many days are removed, and the oldest above so many megabytes. */
    event_days: number;
    event_megabytes: number;
    /** 0 or 1. */
    alert_new: number;
    alert_returned: number;
    /** An alert when an error comes so often within so many minutes; null: none. */
    alert_events: number | null;
    alert_minutes: number;
    /** JSON: addresses that alerts are mailed to. */
    alert_mails: string;
    changed_at: number | null;
    changed_by: string | null;
    version: number;
  };
  /** audit: append-only, which the database itself sees to */
  audit: {
    id: string;
    at: number;
    /** `person`, `token`, `command-line` or `start` */
    actor_kind: string;
    actor_id: string | null;
    actor_name: string;
    action: string;
    subject: string;
    before: string | null;
    after: string | null;
    /** All texts of the row, as they are searched. */
    search_key: string;
    /** Such as `Firefox 150`; null where no request of a client led to it */
    client: string | null;
    client_system: string | null;
  };
};
