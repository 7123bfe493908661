import type { Selectable } from 'kysely';
import type { Tables } from '../../platform/database/schema.ts';

/**
 * What becomes of a column's text when a person is erased:
 *
 * - `nobody`: it holds no personal data, and stays.
 * - `own`: the row is about the person, such as a session, and is deleted.
 * - `name`: the row is about something else, and the column holds the email address of the person who wrote
 *   it, such as `created_by`: a pseudonym replaces the address. For a new one `erasure.test.ts` needs a row
 *   that names the person: write it in `liveALife`.
 * - `given up`: the column holds the person's id, which is removed; the row stays.
 * - `rewritten`: the person is removed from the text.
 * - `id`: the id stays, which identifies no one any more, so that what belongs together is found together.
 * - `free text`: a text about something else, such as a title, stays as it is, whoever wrote it and even if
 * it
 *   mentions the person. The preview lists the flags that mention the person, for an operator to change; other
 *   tables are not searched.
 */
export type Fate = 'nobody' | 'own' | 'name' | 'given up' | 'rewritten' | 'id' | 'free text';

/** Columns that can hold text. */
type Texts<Row> = { [C in keyof Row as Extract<Row[C], string> extends never ? never : C]: Fate };

/**
 * Every text column of every table: a new column does not compile until its fate is declared here (BUG-10).
 */
export const fates: { readonly [T in keyof Tables]: Texts<Selectable<Tables[T]>> } = {
  revision: {},
  changed: { topic: 'nobody', key: 'id' },
  setting: { name: 'nobody', value: 'nobody' },
  person: { id: 'own', issuer: 'own', subject: 'own', email: 'own', email_skeleton: 'own' },
  profile: {
    person_id: 'own',
    first_name: 'own',
    last_name: 'own',
    name_key: 'own',
    phone: 'own',
    organisation: 'own',
    job_title: 'own',
    locale: 'own',
    time_zone: 'own',
    avatar: 'own',
  },
  person_role: { person_id: 'own', role: 'nobody', given_by: 'name' },
  own_right: {
    right_name: 'nobody',
    area: 'free text',
    label: 'free text',
    description: 'free text',
  },
  own_role: { role: 'nobody', name: 'free text', description: 'free text' },
  own_role_right: { role: 'nobody', right_name: 'nobody' },
  person_right: {
    person_id: 'own',
    right_name: 'nobody',
    effect: 'nobody',
    reason: 'free text',
    given_by: 'name',
  },
  group_mapping: {
    id: 'nobody',
    kind: 'nobody',
    match: 'nobody',
    name: 'free text',
    created_by: 'name',
  },
  group_mapping_role: { mapping_id: 'nobody', role: 'nobody' },
  session: {
    id: 'own',
    secret_hash: 'own',
    person_id: 'own',
    id_token: 'own',
    browser: 'own',
    system: 'own',
  },
  map_cookie: { session_id: 'own', handle_hash: 'own' },
  hand_over_code: { code_hash: 'own', session_id: 'own', host: 'own', challenge: 'own' },
  host_session: { secret_hash: 'own', session_id: 'own', host: 'own' },
  map_layer: {
    key: 'nobody',
    name: 'nobody',
    access: 'nobody',
    right_name: 'nobody',
    title_en: 'free text',
    title_de: 'free text',
    title_fr: 'free text',
  },
  map_order: { names: 'nobody' },
  map_workspace: { key: 'nobody', name: 'nobody', access: 'nobody', right_name: 'nobody' },
  person_group: { person_id: 'own', kind: 'own', name: 'own' },
  person_relink: { person_id: 'own', issuer: 'own', email: 'own' },
  provider_session: {
    session_id: 'own',
    issuer: 'own',
    subject: 'own',
    sid: 'own',
    refresh_token: 'own',
  },
  logout_token: { id_hash: 'nobody' },
  api_token: {
    id: 'own',
    name: 'own',
    secret_hash: 'own',
    rights: 'own',
    created_by: 'own',
    parent_id: 'own',
    revoked_by: 'name',
  },
  signing_key: { kid: 'nobody', purpose: 'nobody', jwk: 'nobody' },
  mail: {
    id: 'own',
    kind: 'own',
    account_id: 'own',
    email: 'own',
    language: 'own',
    failure: 'own',
    about: 'own',
  },
  mail_pause: { kind: 'own', email: 'own' },
  account: { id: 'own', email: 'own', password_hash: 'own' },
  sign_in_guess: { email_hash: 'own' },
  one_time_link: { token_hash: 'own', purpose: 'own', account_id: 'own' },
  oidc_record: { model: 'own', id: 'own', payload: 'own', grant_id: 'own', uid: 'own', account_id: 'own' },
  file: { id: 'own', owner: 'own', filename: 'own', content_type: 'own', hash: 'own' },
  removed_content: { hash: 'nobody' },
  file_chunk: { hash: 'nobody' },
  report: {
    id: 'nobody',
    event_id: 'nobody',
    content_hash: 'rewritten',
    reporter_id: 'given up',
    name: 'rewritten',
    email: 'rewritten',
    message: 'rewritten',
    source: 'rewritten',
    url: 'rewritten',
    associated_event_id: 'nobody',
    tags: 'rewritten',
    context: 'rewritten',
    status: 'nobody',
    search_key: 'rewritten',
    assignee_id: 'given up',
    duplicate_of: 'nobody',
    tab: 'nobody',
    last_word: 'nobody',
  },
  report_history: {
    id: 'nobody',
    report_id: 'nobody',
    what: 'nobody',
    before: 'given up',
    after: 'given up',
    actor_kind: 'nobody',
    actor_id: 'given up',
    actor_name: 'name',
  },
  report_picture: { report_id: 'own', file_id: 'own' },
  report_message: {
    id: 'nobody',
    report_id: 'nobody',
    event_id: 'nobody',
    kind: 'nobody',
    side: 'nobody',
    text: 'rewritten',
    search_key: 'rewritten',
    author_kind: 'nobody',
    author_id: 'given up',
    author_name: 'name',
  },
  report_label: { report_id: 'nobody', label: 'free text', label_key: 'free text' },
  report_filter: {
    id: 'own',
    owner_id: 'own',
    name: 'free text',
    filter: 'free text',
    created_by: 'name',
  },
  report_settings: { notified: 'rewritten', language: 'nobody', tracker: 'free text', changed_by: 'name' },
  flag: {
    key: 'nobody',
    type: 'nobody',
    description: 'free text',
    default_value: 'free text',
    rules: 'free text',
    tags: 'free text',
    changed_by: 'name',
  },
  client_key: {
    key: 'nobody',
    kind: 'nobody',
    name: 'free text',
    created_by: 'name',
    revoked_by: 'name',
  },
  branding: {
    name: 'free text',
    accent: 'nobody',
    mark_id: 'nobody',
    mark_type: 'nobody',
    changed_by: 'name',
  },
  maintenance: { mode: 'nobody', text: 'free text', severity: 'nobody', changed_by: 'name' },
  maintenance_window: {
    id: 'nobody',
    title: 'free text',
    text: 'free text',
    severity: 'nobody',
    mode: 'nobody',
    time_zone: 'nobody',
    phase: 'nobody',
    created_by: 'name',
    changed_by: 'name',
  },
  maintenance_history: {
    id: 'nobody',
    deed: 'nobody',
    window_id: 'nobody',
    title: 'free text',
    by: 'name',
    facts: 'free text',
  },
  webhook: {
    id: 'nobody',
    url: 'free text',
    description: 'free text',
    secret: 'nobody',
    created_by: 'name',
  },
  webhook_delivery: {
    id: 'nobody',
    webhook_id: 'nobody',
    event: 'nobody',
    body: 'rewritten',
    state: 'nobody',
  },
  webhook_attempt: { delivery_id: 'nobody', failure: 'nobody' },
  presence_process: { id: 'nobody' },
  presence: { connection_id: 'nobody', process_id: 'nobody', person_hash: 'nobody' },
  activity: { process_id: 'nobody' },
  report_form: { changed_by: 'name' },
  retention: { erased_reports: 'nobody', changed_by: 'name' },
  erasure: { person_id: 'own', pseudonym: 'own', emails: 'own', full_name: 'own', reports: 'own' },
  diagnostic_project: { name: 'free text', forward_to: 'nobody', created_by: 'name' },
  diagnostic_key: { key: 'nobody', created_by: 'name', revoked_by: 'name' },
  error_group: {
    id: 'nobody',
    fingerprint: 'nobody',
    kind: 'nobody',
    message: 'free text',
    place: 'nobody',
    level: 'nobody',
    status: 'nobody',
    resolved_in: 'nobody',
    first_release: 'nobody',
    last_release: 'nobody',
    search_key: 'free text',
  },
  error_event: {
    event_id: 'nobody',
    group_id: 'nobody',
    release: 'nobody',
    environment: 'nobody',
    browser: 'nobody',
    system: 'nobody',
    person_hash: 'given up',
  },
  error_sample: { group_id: 'nobody' },
  error_count: { group_id: 'nobody' },
  project_count: {},
  project_release: { release: 'nobody' },
  error_person: { group_id: 'own', person_hash: 'own' },
  error_facet: { group_id: 'nobody', facet: 'nobody', value: 'nobody' },
  error_alert: { group_id: 'nobody', kind: 'nobody' },
  source_map: {
    id: 'nobody',
    release: 'nobody',
    file: 'nobody',
    debug_id: 'nobody',
    file_id: 'nobody',
    created_by: 'name',
  },
  diagnostic_settings: { alert_mails: 'rewritten', changed_by: 'name' },
  audit: {
    id: 'nobody',
    actor_kind: 'nobody',
    actor_id: 'id',
    actor_name: 'rewritten',
    action: 'nobody',
    subject: 'id',
    before: 'rewritten',
    after: 'rewritten',
    search_key: 'rewritten',
  },
};

/** Columns that name by address who did something. */
export function namingColumns(): { table: keyof Tables; column: string }[] {
  return (Object.keys(fates) as (keyof Tables)[]).flatMap((table) =>
    Object.entries(fates[table])
      .filter(([, fate]) => fate === 'name')
      .map(([column]) => ({ table, column })),
  );
}
