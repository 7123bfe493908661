/** Replaces the browser's EventSource; the test is the server. */
export function createFakeEventSource(address: string) {
  const listeners = new Map<string, ((event: Event) => void)[]>();
  const publish = (event: Event) => listeners.get(event.type)?.forEach((listener) => listener(event));
  return {
    address,
    readyState: 0,
    addEventListener: (type: string, listener: (event: Event) => void) =>
      void listeners.set(type, [...(listeners.get(type) ?? []), listener]),
    close() {
      this.readyState = 2;
    },
    opens() {
      this.readyState = 1;
      publish(new Event('open'));
    },
    fails(readyState = 2) {
      this.readyState = readyState;
      publish(new Event('error'));
    },
    sends: (type: string, data = '') => publish(new MessageEvent(type, { data })),
  };
}
