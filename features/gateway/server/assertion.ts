import { LRUCache } from 'lru-cache';
import type { JWTPayload } from 'jose';
import type { Core } from '#server/core.ts';
import type { IdentityField, Upstream } from '#server/config-upstreams.ts';
import type { ChangeFeed } from '#server/platform/database/change-feed.ts';
import type { Caller } from '#server/platform/http/access-check.ts';

/** What an application receives of the caller. */
export type Holder = {
  caller: Caller;
  email: string;
  name: string;
  /** Sorted; the same object as long as they are the same. */
  roles: readonly string[];
  /** Sorted. */
  rights: readonly string[];
  holds: ReadonlySet<string>;
  /** The same text for the same rights. */
  rightsVersion: string;
};

/** Name and value of each header. */
export type IdentityHeaders = [string, string][];

export type Assertions = {
  /** The identity headers for an application, synchronously if its assertion is cached. */
  headersFor(holder: Holder, audience: string): IdentityHeaders | Promise<IdentityHeaders>;
};

/** The names of the identity headers; a client that sends one of them is not believed. */
export const identityHeaderNames = [
  'Portico-Assertion',
  'X-Portico-User-Id',
  'X-Portico-Email',
  'X-Portico-Name',
  'X-Portico-Roles',
  'X-Portico-Rights',
  'X-Portico-Omitted',
] as const;

/** The identity headers that an application may receive under names of its own (GATE-8). */
const fields: Record<IdentityField, string> = {
  assertion: 'Portico-Assertion',
  id: 'X-Portico-User-Id',
  email: 'X-Portico-Email',
  name: 'X-Portico-Name',
  roles: 'X-Portico-Roles',
  rights: 'X-Portico-Rights',
};

/** The identity headers under an application's own names; a value that is not known is empty. */
export function underOwnNames(
  identity: IdentityHeaders,
  { identityHeaders }: Pick<Upstream, 'identityHeaders'>,
): IdentityHeaders {
  return Object.entries(identityHeaders).map(([name, field]) => [
    name,
    identity.find(([each]) => each === fields[field])?.[1] ?? '',
  ]);
}

/** Seconds. */
const lifetime = 60;
/** The age from which on another assertion is signed, without delaying the request. */
const renewAfterMs = 30_000;
/** An assertion with less time left is not sent any more, since the request may wait on its way. */
const leastLeftMs = 15_000;
/** The size of the cache, in characters of headers: some ten thousand entries of the usual size. */
const mostRemembered = 20_000_000;
/** A longer value is left out and listed as omitted: servers refuse requests with headers beyond 8 or 16 kB. */
const longestValue = 2_048;

type Remembered = {
  headers: IdentityHeaders;
  signedAt: number;
  holder: Holder;
  renewing: boolean;
};

/**
 * The identity that an application receives with a request: a JWT valid for a minute, and the same in plain
 * headers. It is cached by session and audience, so that most requests sign nothing; a change of the person
 * or their rights invalidates it.
 */
export function createAssertions(
  options: Pick<Core, 'clock' | 'logger'> & {
    feed: Pick<ChangeFeed, 'on'>;
    sign(claims: JWTPayload & { aud: string }, lifetime: number): Promise<string>;
  },
): Assertions {
  const { feed, clock, logger, sign } = options;
  const remembered = new LRUCache<string, Remembered>({
    maxSize: mostRemembered,
    sizeCalculation: ({ headers }) => headers.reduce((size, [, value]) => size + value.length, 100),
  });
  const underWay = new Map<string, { holder: Holder; headers: Promise<IdentityHeaders> }>();
  let keysSeen = 0;
  // Cached assertions may be signed with a key that is not accepted any more.
  feed.on('signing-keys', () => {
    keysSeen += 1;
    remembered.clear();
    underWay.clear();
  });

  async function make(key: string, holder: Holder, audience: string): Promise<IdentityHeaders> {
    const before = keysSeen;
    const signedAt = clock.now();
    const values = valuesOf(holder);
    const omitted = values.filter(({ header }) => header.length > longestValue).map(({ name }) => name);
    const assertion = await sign(claimsOf(holder, omitted, audience), lifetime);
    const sent = values.map(({ name, header }) => (omitted.includes(name) ? '' : header));
    const texts = [assertion, holder.caller.id, ...sent, omitted.join(',')];
    const headers: IdentityHeaders = identityHeaderNames.map((name, at) => [name, texts[at] as string]);
    if (keysSeen === before) remembered.set(key, { headers, signedAt, holder, renewing: false });
    return headers;
  }

  /** Requests that arrive while an assertion is being signed wait for that assertion. */
  function made(key: string, holder: Holder, audience: string): Promise<IdentityHeaders> {
    const known = underWay.get(key);
    if (known !== undefined && isSame(known.holder, holder)) return known.headers;
    const headers = make(key, holder, audience).finally(() => {
      if (underWay.get(key)?.headers === headers) underWay.delete(key);
    });
    underWay.set(key, { holder, headers });
    return headers;
  }

  function renew(known: Remembered, key: string, holder: Holder, audience: string): void {
    known.renewing = true;
    made(key, holder, audience).catch((error: unknown) => {
      known.renewing = false;
      logger.warn({ err: error }, 'an assertion could not be renewed; it is tried again');
    });
  }

  return {
    headersFor(holder, audience) {
      const { caller } = holder;
      const key = `${caller.kind} ${caller.sessionId ?? caller.id} ${audience}`;
      const known = remembered.get(key);
      const age = known === undefined ? -1 : clock.now() - known.signedAt;
      if (
        known === undefined ||
        age < 0 ||
        age > lifetime * 1000 - leastLeftMs ||
        !isSame(known.holder, holder)
      )
        return made(key, holder, audience);
      if (age >= renewAfterMs && !known.renewing) renew(known, key, holder, audience);
      return known.headers;
    },
  };
}

function isSame(one: Holder, other: Holder): boolean {
  return (
    one.rightsVersion === other.rightsVersion &&
    one.roles === other.roles &&
    one.email === other.email &&
    one.name === other.name &&
    one.caller.id === other.caller.id
  );
}

type Value = 'email' | 'name' | 'roles' | 'rights';

/** The values as headers hold them, in the order of `identityHeaderNames`. */
function valuesOf({ email, name, roles, rights }: Holder): { name: Value; header: string }[] {
  return [
    { name: 'email', header: printable(email) },
    { name: 'name', header: encodeURIComponent(name.toWellFormed()) },
    { name: 'roles', header: roles.join(',') },
    { name: 'rights', header: rights.join(',') },
  ];
}

function claimsOf(
  { caller, email, name, roles, rights }: Holder,
  omitted: readonly Value[],
  audience: string,
): JWTPayload & { aud: string } {
  const has = (value: Value): boolean => !omitted.includes(value);
  return {
    sub: caller.id,
    aud: audience,
    ...(caller.sessionId === null ? {} : { sid: caller.sessionId }),
    kind: caller.kind,
    ...(email !== '' && has('email') ? { email } : {}),
    ...(name !== '' && has('name') ? { name } : {}),
    roles: has('roles') ? roles : [],
    rights: has('rights') ? rights : [],
    // A value that is left out must not be taken for an empty one.
    ...Object.fromEntries(omitted.map((value) => [`${value}_omitted`, true])),
  };
}

/** An email address in which `%`, and what a header cannot hold, is percent-encoded. */
function printable(text: string): string {
  return text.toWellFormed().replaceAll(/[^!-$&-~]/gu, encodeURIComponent);
}
