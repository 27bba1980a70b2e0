let skew = 0;

/** By how much this device's clock is ahead of the server's, in ms, by the last response; precise to about a second. */
export const clockSkew = (): number => skew;

/** `fetch` that records the server's time. */
export const timedFetch: typeof fetch = async (address, options) => {
  const response = await fetch(address, options);
  const server = Date.parse(response.headers.get('date') ?? '');
  if (!Number.isNaN(server)) skew = Date.now() - server;
  return response;
};
