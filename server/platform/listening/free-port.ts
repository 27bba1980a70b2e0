import { once } from 'node:events';
import { createServer } from 'node:net';

/** A currently free TCP port on the loopback address. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('This machine has no free TCP port.');
  return address.port;
}
