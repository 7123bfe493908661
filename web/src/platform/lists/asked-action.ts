import { useEffect, useEffectEvent } from 'react';
import { useAddressFilter } from './address-filter.ts';

/**
 * Does what the address asks for by `?do=`, such as opening the dialog for a new flag, once; the address is
 * then without it. The command palette leads to such addresses.
 *
 * @param allowed whether the person may do it; otherwise it is only removed
 */
export function useAskedAction(action: string, allowed: boolean, act: () => void): void {
  const [{ do: asked }, setAddress] = useAddressFilter(['do']);
  const answer = useEffectEvent(() => {
    setAddress({ do: '' });
    if (allowed) act();
  });
  useEffect(() => {
    if (asked === action) answer();
  }, [asked, action]);
}
