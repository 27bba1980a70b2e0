import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import certificates from '../../../server/features/events/webhooks/test-certificates.json' with { type: 'json' };
import { signedBody, signingKeyOf } from '../../../server/platform/crypto/signed-request.ts';
import { postJson } from '../api.ts';
import type { BareDelivery } from '../bare/bare-webhooks.worker.ts';
import type { Figure } from '../figures.ts';
import type { ReceiverJob, ReceiverResult } from '../load/webhook-receiver.worker.ts';
import type { SeededInstitution } from '../load/workloads.ts';
import { inPairedRounds, pairedFigure } from '../paired-rounds.ts';
import { createHolders, createInstitutions } from '../parties.ts';
import type { ServerProcess } from '../server-process.ts';
import type { Scenario, Session } from '../session.ts';
import { startWorker } from '../worker-process.ts';

const HOLDERS = 200;
const EVENTS = 10_000;
const INSTITUTIONS = 1_000;

/** Delivery of many events to one receiver, and writes while many institutions have a webhook. */
export const webhooks: Scenario = {
  name: 'webhooks',
  async run(session) {
    const receiver = startWorker('webhook-receiver');
    const authority = join(tmpdir(), `perpetua-bench-${process.pid}.pem`);
    writeFileSync(authority, certificates.authority);
    try {
      const { port } = await receiver.receive<{ port: number }>();
      const settings = {
        WEBHOOK_PRIVATE_TARGETS: 'true',
        WEBHOOK_PORTS: String(port),
        NODE_EXTRA_CA_CERTS: authority,
      };
      const server = await session.startAnother('webhooks', { settings });
      const delivered = await delivery(session, server, receiver, port);
      const slowed = await writes(session, server, port);
      await server.stop();
      return [delivered, slowed];
    } finally {
      await receiver.stop();
      rmSync(authority, { force: true });
    }
  },
};

const anything = z.looseObject({});

const signedPost = (
  url: string,
  path: string,
  name: string,
  { seed }: SeededInstitution,
  fields: Record<string, Json>,
) => postJson(url + path, signedBody(name, fields, signingKeyOf(seed).privateKey), anything);

const setWebhook = (url: string, institution: SeededInstitution, port: number) =>
  signedPost(url, '/api/ieo/contacts', 'updateContacts', institution, {
    ieoId: institution.ieoId,
    apiEndpoint: null,
    webhookUrl: `https://receiver.test:${port}/hook`,
  });

/** Each round sends the same events again, by a replay; the bare loop sends as many requests of the same form. */
async function delivery(
  session: Session,
  server: ServerProcess,
  receiver: ReturnType<typeof startWorker>,
  port: number,
): Promise<Figure> {
  const count = session.settings.quick ? EVENTS / 5 : EVENTS;
  const holders = await createHolders(server.url, HOLDERS);
  const [institution] = await createInstitutions(server.url, 1);
  if (!institution) throw new Error('The institution was not created.');
  await setWebhook(server.url, institution, port);
  const receive = () => receiver.receive<ReceiverResult>({ count } satisfies ReceiverJob);
  const first = receive();
  await session.measure(server, {
    workload: { kind: 'grantConsent', holders, ieoIds: [institution.ieoId], from: 0, count },
  });
  await first;

  const bare = startWorker('bare-webhooks');
  const rounds: number[] = [];
  const reference: number[] = [];
  for (let round = 1; round <= session.settings.rounds; round++) {
    const ofBare = receive();
    await bare.receive({ port, count } satisfies BareDelivery);
    reference.push(count / (await ofBare).seconds);
    const ofServer = receive();
    const fields = { ieoId: institution.ieoId, from: '2020-01-01T00:00:00.000Z', until: null };
    await signedPost(server.url, '/api/events/webhook/replay', 'replayEvents', institution, fields);
    rounds.push(count / (await ofServer).seconds);
    session.log(
      `webhooks, round ${round}: ${rounds.at(-1)?.toFixed(0)}/s, reference ${reference.at(-1)?.toFixed(0)}/s`,
    );
  }
  await bare.stop();
  const name = `delivering ${count} events to one webhook, in order`;
  return { name, unit: '/s', rounds, reference, targets: [{ of: 'ratio', atLeast: 0.5 }] };
}

/** The reference is a server on which no institution has a webhook. */
async function writes(session: Session, server: ServerProcess, port: number): Promise<Figure> {
  const { warmUp, writes: count } = session.settings;
  const without = await session.startAnother('no-webhooks');
  await createInstitutions(without.url, INSTITUTIONS);
  const institutions = await createInstitutions(server.url, INSTITUTIONS);
  await Promise.all(institutions.map((institution) => setWebhook(server.url, institution, port)));
  let created = 0;
  const create = (target: ServerProcess, number: number) => {
    const workload = { kind: 'createBEO', from: 1_000_000 + created, count: number } as const;
    created += number;
    return session.measure(target, { workload });
  };
  for (const target of [without, server]) await create(target, warmUp);
  const rounds = await inPairedRounds(session, {
    title: 'createBEO with webhooks',
    reference: () => create(without, count),
    server: () => create(server, count),
  });
  await without.stop();
  return pairedFigure(
    rounds,
    `createBEO while ${INSTITUTIONS} institutions have webhooks`,
    '/s',
    ({ perSecond }) => perSecond,
    [{ of: 'ratio', atLeast: 0.95 }],
  );
}
