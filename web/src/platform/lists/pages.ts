/**
 * For a list whose answers name the next page: `{ queryFn: ({ pageParam }) => … query: { …, ...pageParam } …, ...pages }`.
 */
export const pages = {
  initialPageParam: {} as { cursor?: string },
  getNextPageParam: ({ next }: { next: string | null }) => (next === null ? null : { cursor: next }),
};
