import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import certificates from '../../../server/features/events/webhooks/test-certificates.json' with { type: 'json' };
import { native } from '../../../server/platform/crypto/ed25519.ts';

export interface BareDelivery {
  readonly port: number;
  readonly count: number;
}

const sign = native.signer(randomBytes(32));
const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: certificates.authority, servername: 'receiver.test' });
const BODY = Buffer.from(
  JSON.stringify({
    id: 'evt_00000000-0000-5000-8000-000000000000',
    type: 'consent.granted',
    at: '2026-01-01T00:00:00.000Z',
    seq: 1,
    data: { transaction_id: 'x'.repeat(43), beo_id: 'x'.repeat(36), token_id: 'x'.repeat(40), expires_at: null },
    timestamp: '2026-01-01T00:00:00.000Z',
  }),
);

/** The minimum work of a delivery in order: sign, post over one connection, read the response, then the next. */
async function deliver({ port, count }: BareDelivery): Promise<void> {
  for (let index = 0; index < count; index++) {
    const id = `evt_${index}`;
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = sign(Buffer.concat([Buffer.from(`${id}.${timestamp}.`), BODY]));
    const sent = request({
      agent,
      host: '127.0.0.1',
      port,
      method: 'POST',
      path: '/hook',
      headers: {
        'content-type': 'application/json',
        'content-length': BODY.byteLength,
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1a,${signature.toString('base64')}`,
      },
    });
    sent.end(BODY);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
  }
}

process.on('message', async (job: BareDelivery) => {
  await deliver(job);
  process.send?.({});
});
process.on('disconnect', () => process.exit());
process.on('SIGINT', () => undefined);
