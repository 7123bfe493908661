import { getBranding } from '#features/branding/contract/branding.ts';
import { queryOptions } from '@tanstack/react-query';
import type { Api } from '#web/platform/calls/call.ts';

export const brandingKey = ['branding'] as const;

export function brandingQuery(api: Api) {
  return queryOptions({
    queryKey: brandingKey,
    queryFn: ({ signal }) => api.call(getBranding, {}, { signal }),
  });
}
