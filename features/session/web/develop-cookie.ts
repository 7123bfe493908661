const timeout = 10_000;

/**
 * Gives the token to the develop geoserver, so that a development environment can use its layers (SES-6).
 *
 * @throws on any failure, including a status that is not OK; callers must not be blocked by it
 */
export async function setDevelopCookie(
  send: typeof fetch,
  geoserver: string,
  token: string,
  signal: AbortSignal,
): Promise<void> {
  const response = await send(`${geoserver}/cookies/token`, {
    method: 'POST',
    credentials: 'include',
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
  });
  if (!response.ok) throw new Error(`The develop geoserver answered ${response.status}.`);
}
