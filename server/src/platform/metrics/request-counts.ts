import type { FastifyReply, FastifyRequest } from 'fastify';
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
  /** Counts an answer of the framework; `routeOptions` makes a new object at each call, so it is handed over. */
  answered(route: FastifyRequest['routeOptions'], reply: FastifyReply): void;
  /** Returns a function that counts answers of a route that are written before the framework sees the request. */
  ofRoute(route: Pick<Route, 'method' | 'path'>): (status: number) => void;
  /** @param observe called with the seconds that an answer of the framework took, unless it is a stream */
  measureWith(observe: (seconds: number) => void): void;
};

/** Labels outside the contract: files of the web and pages of a sign-in, and paths without a route. */
const others = { known: '(files and sign-in)', unknown: '(no route)' };

/** Counts requests by their route's pattern: nothing that a client writes becomes a series. */
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

  function count(routeCounts: RouteCounts, status: number): void {
    const digit = Math.trunc(status / 100);
    routeCounts.answers[digit] = (routeCounts.answers[digit] ?? 0) + 1;
    statuses[status] = (statuses[status] ?? 0) + 1;
  }

  function find({ config, url, method }: FastifyRequest['routeOptions']): RouteCounts {
    if (url === undefined) return countsFor('', others.unknown);
    const isDeclared = config.access !== undefined || config.oauth === true;
    return isDeclared ? countsFor(String(method).replace(/^HEAD$/, 'GET'), url) : countsFor('', others.known);
  }

  let observe = (_seconds: number): void => undefined;
  return {
    routes: () => routes.values(),
    statuses,
    answered(route, { raw, elapsedTime }) {
      const { config } = route;
      let counts = ofConfig.get(config);
      if (counts === undefined) ofConfig.set(config, (counts = find(route)));
      count(counts, raw.statusCode);
      if (config.stream === true) return;
      counts.seconds += elapsedTime / 1_000;
      observe(elapsedTime / 1_000);
    },
    ofRoute({ method, path }) {
      const counts = countsFor(method, path);
      return (status) => count(counts, status);
    },
    measureWith: (given) => (observe = given),
  };
}
