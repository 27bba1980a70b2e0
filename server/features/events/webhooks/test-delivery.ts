import { createPublicKey, randomBytes, verify } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Json } from '../../../../protocol/signing/canonical-json.ts';
import { createResolve } from '../../../network/checked-address.ts';
import { type Clock, createClock } from '../../../platform/db/clock.ts';
import { startTestService, type TestService } from '../../../testing/test-service.ts';
import type { Party } from '../../../write/test-parties.ts';
import { eventsOf } from '../test-events.ts';
import {
  answerEmpty,
  type Received,
  startNameServer,
  startReceiver,
  TEST_AUTHORITY,
  type TestNameServer,
  type TestReceiver,
} from './test-receiver.ts';

export const HOUR = 3_600_000;

export type TestDelivery = Awaited<ReturnType<typeof testDelivery>>;

export interface DeliveryOptions {
  readonly env?: Record<string, string>;
  readonly keep?: boolean;
  /** The time for one exchange. */
  readonly timeoutMs?: number;
}

/** A service that delivers to receivers on loopback, until the test ends; `advance` moves its clock. */
export async function testDelivery(options: DeliveryOptions = {}) {
  const delivery = await startDelivery(options);
  onTestFinished(delivery.stop);
  return delivery;
}

/** The same until `stop` is called, for several tests. */
export async function startDelivery({ env = {}, keep = true, ...times }: DeliveryOptions = {}) {
  const [receiver, other] = [await startReceiver({ keep }), await startReceiver({ keep })];
  const nameServer = await startNameServer(() => ['127.0.0.1']);
  let shift = 0;
  const clock = createClock(Date.now, () => shift);
  const settings = targetSettings([receiver, other]);
  const service = await startTestService(
    { ...settings, ...env },
    { clock, webhookTargets: { resolve: createResolve([nameServer.address]), ca: TEST_AUTHORITY, ...times } },
  );
  return {
    service,
    async stop() {
      await service.stop();
      await Promise.all([receiver.stop(), other.stop(), nameServer.stop()]);
    },
    receiver,
    other,
    nameServer,
    clock,
    advance: (ms: number) => {
      shift += ms;
    },
    ...deliveryClients(service, clock),
  };
}

/** Lets several tests share a delivery: each call returns it with receivers of its own, which have other paths. */
export function deliveriesOf(shared: TestDelivery): () => TestDelivery {
  const newReceiver = dividing(shared.receiver);
  const newOther = dividing(shared.other);
  return () => ({ ...shared, receiver: newReceiver(), other: newOther() });
}

function dividing(receiver: TestReceiver): () => TestReceiver {
  const byPath = new Map<string, TestReceiver>();
  receiver.reply = (response, one) => {
    const part = byPath.get(one.path);
    part?.received.push(one);
    part?.reply(response, one);
  };
  return () => {
    const path = `/hook/${byPath.size}`;
    const part = { ...receiver, path, received: [], reply: answerEmpty };
    byPath.set(path, part);
    return part;
  };
}

/** Files with new keys, each named by its setting, until the test ends. */
export function keyFiles(...settings: readonly string[]): Record<string, string> {
  const directory = mkdtempSync(join(tmpdir(), 'perpetua-webhook-keys-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return Object.fromEntries(
    settings.map((setting) => {
      const path = join(directory, setting);
      writeFileSync(path, randomBytes(32).toString('hex'));
      return [setting, path];
    }),
  );
}

/** A service with a relayer key file and no other has no key for webhooks and sends none. */
export const withoutWebhookKey = () => keyFiles('RELAYER_KEY_FILE');

export const targetSettings = (receivers: readonly TestReceiver[]) => ({
  WEBHOOK_PRIVATE_TARGETS: 'true',
  WEBHOOK_PORTS: receivers.map(({ port }) => port).join(','),
});

export const hookOf = ({ port, path = '/hook' }: Pick<TestReceiver, 'port' | 'path'>): string =>
  `https://receiver.test:${port}${path}`;

/** An institution with a webhook, a holder, and a consent between them, which is the first event. */
export async function withConsent(delivery: TestDelivery, receiver = delivery.receiver) {
  const institution = await delivery.institutionWithWebhook(hookOf(receiver));
  const holder = await delivery.newHolder();
  await delivery.granted(holder, institution.id);
  return { institution, holder };
}

/** A second service on the database of the first. */
export async function secondService(
  { service, receiver, other, nameServer, clock }: TestDelivery,
  env: Record<string, string>,
) {
  const second = await startTestService(
    { ...targetSettings([receiver, other]), ...env },
    {
      clock,
      databaseUrl: service.databaseUrl,
      webhookTargets: { resolve: createResolve([(nameServer as TestNameServer).address]), ca: TEST_AUTHORITY },
    },
  );
  onTestFinished(() => second.stop());
  return second;
}

function deliveryClients(service: TestService, clock: Clock) {
  const clients = eventsOf(service, clock.now);

  const control = (
    { person, id }: Pick<Party, 'person' | 'id'>,
    action: string,
    functionName: string,
    more: Record<string, Json> = {},
  ) => service.post(`/api/events/webhook${action}`, clients.sign(person, functionName, { ieoId: id, ...more }));

  async function state(institution: Pick<Party, 'person' | 'id'>) {
    const { status, body } = await control(institution, '', 'readWebhook');
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  }

  async function setWebhook(institution: Party, webhookUrl: string | null): Promise<void> {
    const answer = await clients.ieo(institution, 'contacts', 'updateContacts', { apiEndpoint: null, webhookUrl });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  }

  return {
    ...clients,
    control,
    state,
    setWebhook,
    /** An institution whose webhook has been taken over. */
    async institutionWithWebhook(webhookUrl: string): Promise<Party> {
      const institution = await clients.newInstitution();
      await setWebhook(institution, webhookUrl);
      await expect.poll(async () => (await state(institution)).cursor).not.toBe(null);
      return institution;
    },
    /** Locks and unlocks a holder, which gives two events to every institution with a consent. */
    async toggle(holder: Party, times: number): Promise<void> {
      for (let n = 0; n < times; n++) {
        for (const path of ['lock', 'unlock']) {
          const answer = await clients.beo(holder, path, `${path}BEO`);
          expect(answer.status, JSON.stringify(answer.body)).toBe(200);
        }
      }
    },
  };
}

/** Standard Webhooks 1.0.0, written from its text alone. @returns the verified payload. */
export function verifyWebhook({ headers, body }: Received, publicKeys: readonly string[]) {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  const signed = Buffer.from(`${id}.${timestamp}.${body}`);
  const signatures = String(headers['webhook-signature'])
    .split(' ')
    .flatMap((part) => (part.startsWith('v1a,') ? [Buffer.from(part.slice(4), 'base64')] : []));
  const keys = publicKeys.map((text) => {
    const x = Buffer.from(text.replace(/^whpk_/, ''), 'base64').toString('base64url');
    return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  });
  const valid = keys.map((key) => signatures.some((signature) => verify(null, signed, key, signature)));
  return { id, timestamp: Number(timestamp), valid, payload: JSON.parse(body) };
}
