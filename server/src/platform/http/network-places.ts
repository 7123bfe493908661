import { HttpProblem } from './http-problem.ts';
import { networkOf } from './network.ts';

const sitesRoom = 4;

/**
 * Places that one network may have at once, and four times as many for all networks of a /48.
 *
 * @returns takes a place for an address, and returns what leaves it; throws TOO_MANY_REQUESTS
 */
export function createNetworkPlaces(most: number): (address: string) => () => void {
  const taken = new Map<string, number>();

  return (address) => {
    const { network, site } = networkOf(address);
    const keys =
      site === null
        ? [[network, most] as const]
        : [[network, most] as const, [site, most * sitesRoom] as const];
    if (keys.some(([key, room]) => (taken.get(key) ?? 0) >= room)) {
      throw new HttpProblem('TOO_MANY_REQUESTS', {
        detail: 'Too many streams are open from this network.',
        retryAfter: 60,
      });
    }
    for (const [key] of keys) taken.set(key, (taken.get(key) ?? 0) + 1);
    return () => {
      for (const [key] of keys) {
        const left = (taken.get(key) ?? 0) - 1;
        if (left > 0) taken.set(key, left);
        else taken.delete(key);
      }
    };
  };
}
