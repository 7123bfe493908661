import { describe, expect, it } from 'vitest';
import { createStore } from '#web/platform/state/store.ts';
import { createFakeEventSource } from '#web/testing/event-source.ts';
import { openSharedSource } from './shared-source.ts';

const [open, closed] = [1, 2];

function setUp({ leads = true } = {}) {
  const streams: ReturnType<typeof createFakeEventSource>[] = [];
  const leader = createStore(leads);
  const received: string[] = [];
  const source = openSharedSource({
    open() {
      const stream = createFakeEventSource('/sub/sdk-web');
      streams.push(stream);
      return stream as unknown as EventSource;
    },
    leader,
    onFeatures: (text) => received.push(`features ${text}`),
    onChanged: () => received.push('changed'),
    onOpen: () => received.push('open'),
  });
  return { streams, leader, received, source };
}

describe('the event source that the tabs of a browser share', () => {
  it('FLAG-8: only the leading tab has a real stream; the others stay open and silent', () => {
    const { streams, leader, source } = setUp({ leads: false });
    expect([streams.length, source.readyState]).toEqual([0, open]);
    leader.set(true);
    expect([streams.length, source.readyState]).toEqual([1, 0]);
    leader.set(false);
    expect([streams[0]?.readyState, source.readyState]).toEqual([closed, open]);
    leader.set(true);
    expect(streams).toHaveLength(2);
  });

  it('FLAG-8: what the real stream sends goes to Portico, and to the SDK what the SDK asked for', () => {
    const { streams, received, source } = setUp();
    const seen: string[] = [];
    source.addEventListener('features', (event) => seen.push((event as MessageEvent<string>).data));
    source.addEventListener('features-updated', () => seen.push('updated'));
    // As the SDK does.
    Object.assign(source, { onopen: () => seen.push('open'), onerror: () => seen.push('error') });
    const [stream] = streams;
    stream?.opens();
    stream?.sends('features', '{}');
    stream?.sends('features-updated');
    stream?.fails(0);
    expect(received).toEqual(['open', 'features {}', 'changed']);
    expect(seen).toEqual(['open', '{}', 'error']);
  });

  it('FLAG-8: a stream that opens or fails before the SDK listens does no harm', () => {
    const { streams, received } = setUp();
    streams[0]?.opens();
    streams[0]?.fails();
    expect(received).toEqual(['open']);
  });

  it('FLAG-8: closed by the SDK it is over, whichever tab leads afterwards', () => {
    const { streams, leader, source } = setUp();
    source.close();
    expect([streams[0]?.readyState, source.readyState]).toEqual([closed, closed]);
    leader.set(false);
    leader.set(true);
    expect(streams).toHaveLength(1);
  });
});
