import { describe, expect, it } from 'vitest';
import { createCaching } from './caching.ts';
import { identityOf } from './map-server.ts';

const ada = identityOf('ada', ['member']);
const now = Date.parse('2026-03-01T12:00:00Z');
const drawn = { 'cache-control': 'public, max-age=600', etag: '"a1"' };
const later = (seconds: number) => now + seconds * 1_000;

function tagOf(answered: Parameters<ReturnType<typeof createCaching>['headersFor']>[0]): string {
  return createCaching({}, ada, now).headersFor(answered)['etag'] ?? '';
}

const asked = (tag: string, at = now, who = ada) => createCaching({ 'if-none-match': tag }, who, at);

describe('MAP-2: a picture in the browser', () => {
  it('is never used unasked, and counts as long as the map server says', () => {
    const tag = tagOf(drawn);
    expect(createCaching({}, ada, now).headersFor(drawn)).toEqual({
      'cache-control': 'private, no-cache',
      vary: 'Cookie',
      etag: tag,
    });
    expect(asked(tag, later(599)).fresh).toMatchObject({ etag: tag, 'cache-control': 'private, no-cache' });
    expect(asked(tag, later(601)).fresh).toBeNull();
  });

  it('counts for an hour at most', () => {
    const tag = tagOf({ 'cache-control': 'max-age=31536000' });
    expect(asked(tag, later(3_599)).fresh).not.toBeNull();
    expect(asked(tag, later(3_601)).fresh).toBeNull();
    const forged = tag.replace(/portico-\w+/, 'portico-zzzzzzz');
    expect(asked(forged).fresh).toBeNull();
  });

  it('is compared by the map server afterwards, by its own tag', () => {
    const { validators, headersFor } = createCaching(
      { 'if-none-match': tagOf(drawn), 'if-modified-since': 'Sun, 01 Mar 2026 10:00:00 GMT' },
      ada,
      later(700),
    );
    expect(validators).toEqual([
      ['if-none-match', '"a1"'],
      ['if-modified-since', 'Sun, 01 Mar 2026 10:00:00 GMT'],
    ]);
    // An answer without a picture may leave out what has not changed.
    const renewed = headersFor({ 'cache-control': 'max-age=600' })['etag'] ?? '';
    expect(asked(renewed, later(1_200)).fresh).not.toBeNull();
    expect(asked(renewed, later(2_000)).validators).toEqual([['if-none-match', '"a1"']]);
  });

  it('is drawn again for another person, or other roles', () => {
    const tag = tagOf(drawn);
    for (const who of [identityOf('eve', ['member']), identityOf('ada', ['member', 'guest'])]) {
      const caching = createCaching({ 'if-none-match': tag, 'if-modified-since': 'x' }, who, now);
      expect([caching.fresh, caching.validators]).toEqual([null, []]);
    }
  });

  it.each([
    ['nothing of storing', {}, undefined],
    ['that it must not be stored', { 'cache-control': 'no-store', etag: '"a"' }, undefined],
  ])('has no tag where the map server says %s', (_what, answered, tag) => {
    expect(createCaching({}, ada, now).headersFor(answered)['etag']).toBe(tag);
  });

  it.each([
    ['only a tag', { etag: '"a"' }],
    ['only a time', { 'last-modified': 'Sun, 01 Mar 2026 10:00:00 GMT' }],
    ['to compare each time', { 'cache-control': 'no-cache, max-age=60', etag: '"a"' }],
  ])('is compared by the map server at once where that says %s', (_what, answered) => {
    expect(asked(tagOf(answered)).fresh).toBeNull();
  });

  it.each(['"a1"', 'W/"portico-zz-short-x"', '*', `W/"portico-1-${'a'.repeat(10)}-!"`])(
    'is not found by the tag %s',
    (tag) => {
      expect([asked(tag).fresh, asked(tag).validators]).toEqual([null, []]);
    },
  );

  it('sends no tag to the map server that would be another header', () => {
    const packed = Buffer.from('"a"\r\nsec-username: admin').toString('base64url');
    const forged = tagOf(drawn).replace(/[\w-]+"$/, (whole) => whole.replace(/-[^-]*"$/, `-${packed}"`));
    expect(asked(forged, later(9_999)).validators).toEqual([]);
  });
});
