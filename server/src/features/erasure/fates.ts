import type { Tables } from '../../platform/database/schema.ts';

/**
 * What becomes of the personal data in a column when its person is erased:
 *
 * - `nobody`: it holds no personal data.
 * - `own`: the row is the person's and goes.
 * - `name`: it names who did something, by address; a pseudonym stands there instead.
 * - `given up`: the person's id goes, the row stays.
 * - `rewritten`: the person is taken out of the text.
 * - `id`: the id stays, which identifies no one any more, so that what belongs together is found together.
 * - `others' words`: what others wrote stays; the preview lists where it names the person.
 */
export type Fate = 'nobody' | 'own' | 'name' | 'given up' | 'rewritten' | 'id' | "others' words";

/** Columns that can hold text. */
type Texts<Row> = { [C in keyof Row as Extract<Row[C], string> extends never ? never : C]: Fate };

/**
 * Every text column of every table: a new column does not compile until its fate is declared here (BUG-10).
 */
export const fates: { readonly [T in keyof Tables]: Texts<Tables[T]> } = {
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
    area: "others' words",
    label: "others' words",
    description: "others' words",
  },
  own_role: { role: 'nobody', name: "others' words", description: "others' words" },
  own_role_right: { role: 'nobody', right_name: 'nobody' },
  person_right: {
    person_id: 'own',
    right_name: 'nobody',
    effect: 'nobody',
    reason: "others' words",
    given_by: 'name',
  },
  group_mapping: {
    id: 'nobody',
    kind: 'nobody',
    match: 'nobody',
    name: "others' words",
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
  mail: { id: 'own', kind: 'own', account_id: 'own', email: 'own', language: 'own', failure: 'own' },
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
  },
  report_history: {
    id: 'nobody',
    report_id: 'nobody',
    before: 'nobody',
    after: 'nobody',
    actor_kind: 'nobody',
    actor_id: 'given up',
    actor_name: 'name',
  },
  report_picture: { report_id: 'own', file_id: 'own' },
  flag: {
    key: 'nobody',
    type: 'nobody',
    description: "others' words",
    default_value: "others' words",
    rules: "others' words",
    tags: "others' words",
    changed_by: 'name',
  },
  client_key: {
    key: 'nobody',
    kind: 'nobody',
    name: "others' words",
    created_by: 'name',
    revoked_by: 'name',
  },
  branding: {
    name: "others' words",
    accent: 'nobody',
    mark_id: 'nobody',
    mark_type: 'nobody',
    changed_by: 'name',
  },
  maintenance: { mode: 'nobody', text: "others' words", severity: 'nobody', changed_by: 'name' },
  maintenance_window: {
    id: 'nobody',
    title: "others' words",
    text: "others' words",
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
    title: "others' words",
    by: 'name',
    facts: "others' words",
  },
  webhook: {
    id: 'nobody',
    url: "others' words",
    description: "others' words",
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
  report_form: { changed_by: 'name' },
  retention: { erased_reports: 'nobody', changed_by: 'name' },
  erasure: { person_id: 'own', pseudonym: 'own', emails: 'own', full_name: 'own', reports: 'own' },
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
