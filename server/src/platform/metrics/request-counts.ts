import type { FastifyRequest } from 'fastify';
import type { Route } from '#contract/route.ts';

/** The requests of one route. */
type RouteCounts = {
  readonly method: string;
  /** The pattern, such as `/v1/users/:userId`, or one of `others`. */
  readonly route: string;
  /** How many answers there were, by the first digit of their status. */
  readonly answers: number[];
  seconds: number;
};

export type RequestCounts = {
  routes(): Iterable<RouteCounts>;
  /** Answers by their whole status. */
  readonly statuses: Readonly<Record<string, number>>;
  /**
   * @param seconds how long it took; 0 for what takes next to nothing, or stays open as a stream
   */
  count(routeCounts: RouteCounts, status: number, seconds: number): void;
  of(request: FastifyRequest): RouteCounts;
  /** Answers what counts the answers of a route that are written before the framework sees the request. */
  ofRoute(route: Pick<Route, 'method' | 'path'>): (status: number) => void;
};

/** What is no route of the contract: the files of the web, the pages of a sign-in, and what there is not. */
const others = { known: '(files and sign-in)', unknown: '(no route)' };

/**
 * Counts requests by the pattern of their route: what a client writes into a path, a header or a method never
 * becomes a series.
 */
export function createRequestCounts(): RequestCounts {
  const routes = new Map<string, RouteCounts>();
  const ofConfig = new WeakMap<object, RouteCounts>();
  const statuses: Record<string, number> = {};

  function countsFor(method: string, route: string): RouteCounts {
    const key = `${method} ${route}`;
    const known = routes.get(key);
    if (known !== undefined) return known;
    const made: RouteCounts = { method, route, answers: [], seconds: 0 };
    routes.set(key, made);
    return made;
  }

  function count(routeCounts: RouteCounts, status: number, seconds: number): void {
    const digit = Math.trunc(status / 100);
    routeCounts.answers[digit] = (routeCounts.answers[digit] ?? 0) + 1;
    routeCounts.seconds += seconds;
    statuses[status] = (statuses[status] ?? 0) + 1;
  }

  return {
    routes: () => routes.values(),
    statuses,
    count,
    of({ routeOptions }) {
      const { config, url, method } = routeOptions;
      const known = ofConfig.get(config);
      if (known !== undefined) return known;
      const isDeclared = config.access !== undefined || config.oauth === true;
      const asked = String(method).replace(/^HEAD$/, 'GET');
      const counts =
        url === undefined
          ? countsFor('', others.unknown)
          : isDeclared
            ? countsFor(asked, url)
            : countsFor('', others.known);
      ofConfig.set(config, counts);
      return counts;
    },
    ofRoute({ method, path }) {
      const counts = countsFor(method, path);
      return (status) => count(counts, status, 0);
    },
  };
}
