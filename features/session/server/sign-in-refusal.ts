import { errorChain } from '#server/platform/log/logger.ts';
import { refusesClient, type ClientAuthWay } from './client-authentication.ts';

/** Why a sign-in, a check or a logout token failed. Stable, since logs are searched for them. */
export type RefusalReason =
  | 'provider-unreachable'
  | 'provider-answer'
  | 'client-refused'
  | 'code-refused'
  | 'id-token-missing'
  | 'id-token-malformed'
  | 'id-token-algorithm'
  | 'id-token-key'
  | 'id-token-signature'
  | 'id-token-issuer'
  | 'id-token-audience'
  | 'id-token-nonce'
  | 'id-token-expired'
  | 'id-token-not-yet'
  | 'id-token-subject'
  | 'id-token-too-large'
  | 'userinfo';

/** A failure because of what the provider sent or did not send. */
export class SignInRefusal extends Error {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.name = 'SignInRefusal';
    this.reason = reason;
  }
}

/** Whether the next try can succeed by itself: the code was used up, or the browser's part did not fit. */
export function isRetryable(reason: RefusalReason): boolean {
  return reason === 'code-refused';
}

/**
 * What became of a refresh token. `ended`: the provider refuses the person. `token-refused`: it refuses the
 * request without naming the token as the reason. `not-reached`: the token has not been used.
 * `client-refused`: Portico itself was refused. `unsure`: the token may have been used, by a request whose
 * answer never came.
 */
export type RefreshOutcome = 'ended' | 'token-refused' | 'not-reached' | 'client-refused' | 'unsure';

export class RefreshFailure extends Error {
  readonly outcome: RefreshOutcome;

  constructor(outcome: RefreshOutcome, cause: SignInRefusal) {
    super(cause.message, { cause });
    this.name = 'RefreshFailure';
    this.outcome = outcome;
  }
}

export function refreshFailureOf(error: unknown, refusal: SignInRefusal = refusalOf(error)): RefreshFailure {
  return new RefreshFailure(refreshOutcomeOf(error), refusal);
}

function refreshOutcomeOf(error: unknown): RefreshOutcome {
  const answer = oauthErrorIn(error);
  if (answer.error !== undefined && !passing.has(answer.error)) {
    if (endings.has(answer.error)) return 'ended';
    return clientErrors.has(answer.error) ? 'client-refused' : 'token-refused';
  }
  const { status } = answer;
  if (status === 429 || status === 503) return 'not-reached';
  // No OAuth error: a firewall, another page or an address that has moved answered, and none of them uses a token.
  if (status !== undefined && status >= 300 && status < 500 && status !== 408) return 'client-refused';
  return errorChain(error).some(({ code }) => typeof code === 'string' && noWay.test(code))
    ? 'not-reached'
    : 'unsure';
}

/** Whether an answer to a request with the client's secret accepts or refuses the client. */
export function clientStandingOf(error: unknown, way: ClientAuthWay): 'refused' | 'accepted' | 'unknown' {
  const answer = oauthErrorIn(error);
  if (refusesClient(answer, way)) return 'refused';
  return answer.error === 'invalid_grant' ? 'accepted' : 'unknown';
}

/** The error and the status that an answer came with, where there was one. */
function oauthErrorIn(error: unknown): { error: string | undefined; status: number | undefined } {
  const chain = errorChain(error);
  return {
    error: chain.map((each) => each['error']).find((each) => typeof each === 'string'),
    status: chain.map((each) => each['status']).find((each) => typeof each === 'number'),
  };
}

/** Temporary errors (RFC 6749 4.1.2.1), which some providers send from the token endpoint. */
const passing = new Set(['server_error', 'temporarily_unavailable']);
/** Errors after which a person has to sign in again: RFC 6749 5.2; some send those of OpenID Connect Core 3.1.2.6. */
const endings = new Set(['invalid_grant', 'interaction_required', 'login_required', 'consent_required']);
/** Errors of a connection that was not made, so nothing was sent on it. */
const noWay =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_[A-Z_]+|DEPTH_ZERO_[A-Z_]+|SELF_SIGNED_[A-Z_]+|UNABLE_TO_[A-Z_]+|ERR_TLS_[A-Z_]+)$/;

/** What openid-client found, as one of our reasons. */
export function refusalOf(error: unknown): SignInRefusal {
  if (error instanceof SignInRefusal) return error;
  const chain = errorChain(error);
  const refused = (reason: RefusalReason, message: string): SignInRefusal =>
    new SignInRefusal(reason, message, error);
  const { error: oauthError, status } = oauthErrorIn(error);
  if (oauthError !== undefined) {
    const reason = clientErrors.has(oauthError)
      ? 'client-refused'
      : signInErrors.has(oauthError)
        ? 'code-refused'
        : 'provider-answer';
    const description = chain
      .map((each) => each['error_description'])
      .find((each) => typeof each === 'string');
    const words = description === undefined ? '' : `: ${description.replaceAll(/\s+/g, ' ').slice(0, 200)}`;
    return refused(reason, `The provider answered with the error ${oauthError.slice(0, 100)}${words}.`);
  }
  if (chain.some(({ code }) => code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT'))
    return refused('provider-unreachable', 'The provider did not answer in time.');
  const network = chain.find(
    ({ code, name }) => (typeof code === 'string' && networkCode.test(code)) || name === 'TimeoutError',
  );
  if (network !== undefined || chain.some(({ message }) => message === 'fetch failed'))
    return refused('provider-unreachable', `The provider cannot be reached (${textOf(network?.['code'])}).`);
  if (status === 401) return refused('client-refused', 'The provider answered with the status 401.');
  if (status !== undefined && status >= 500)
    return refused('provider-unreachable', `The provider answered with the status ${status}.`);
  if (chain.some(({ code }) => code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED')) {
    const notYet = chain.some((each) => each['claim'] === 'nbf');
    return notYet
      ? refused('id-token-not-yet', 'The ID token is of the future, by the clock of this server.')
      : refused('id-token-expired', 'The ID token has expired, by the clock of this server.');
  }
  const claim = chain.map((each) => each['claim']).find((each) => typeof each === 'string');
  const byClaim = claim === undefined ? undefined : claimReasons[claim];
  if (byClaim !== undefined) return refused(byClaim, `The ID token’s ${claim} is not the expected one.`);
  const messages = chain.map(({ message }) => textOf(message)).join(' ');
  if (/"nonce"/.test(messages)) return refused('id-token-nonce', 'The ID token belongs to another sign-in.');
  if (/"alg"/.test(messages))
    return refused('id-token-algorithm', 'The ID token is signed in no accepted way.');
  if (/state|authorization response|"iss" \(issuer\)/.test(messages) && !/JWT/.test(messages))
    return refused('code-refused', 'What came back does not belong to this sign-in.');
  if (/"id_token"/.test(messages)) return refused('id-token-missing', 'The provider sent no ID token.');
  if (/JWT/.test(messages)) return refused('id-token-malformed', 'The ID token cannot be read.');
  return refused('provider-answer', 'The provider’s answer is not one of OpenID Connect.');
}

/** Errors of RFC 6749 5.2 that are about the client, not the code. */
const clientErrors = new Set([
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
]);
/**
 * Errors that another try may solve: of the code, the person, or the provider for now (RFC 6749 4.1.2.1 and 5.2,
 * OpenID Connect Core 3.1.2.6). All others are about what Portico asks, such as `invalid_request`.
 */
const signInErrors = new Set([
  'invalid_grant',
  'access_denied',
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
  ...passing,
]);
const claimReasons: Record<string, RefusalReason> = {
  aud: 'id-token-audience',
  azp: 'id-token-audience',
  iss: 'id-token-issuer',
  nonce: 'id-token-nonce',
  sub: 'id-token-subject',
};
const networkCode =
  /^(E[A-Z]{3,}|UND_ERR_[A-Z_]+|CERT_[A-Z_]+|DEPTH_ZERO_[A-Z_]+|SELF_SIGNED_[A-Z_]+|UNABLE_TO_[A-Z_]+|ERR_TLS_[A-Z_]+)$/;

function textOf(value: unknown): string {
  return typeof value === 'string' && value !== '' ? value : 'no answer';
}
