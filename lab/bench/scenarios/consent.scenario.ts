import { z } from 'zod';
import { signedBody, signingKeyOf } from '../../../server/platform/crypto/signed-request.ts';
import { getJson, postJson } from '../api.ts';
import { fillForRead, prepareForCreate, prepareForRead } from '../bare/bare-database.ts';
import type { Figure, Target } from '../figures.ts';
import { untilPosted } from '../ledger-state.ts';
import type { SeededHolder } from '../load/workloads.ts';
import { inPairedRounds, type PairedRounds, pairedFigure, processorFigures } from '../paired-rounds.ts';
import { createHolders, createInstitutions } from '../parties.ts';
import type { Measurement, Scenario, Session } from '../session.ts';

/** Many clients write consents at once. */
const CONNECTIONS = 64;
const HOLDERS = 200;
const INSTITUTIONS = 20;
const TOKENS_TO_REVOKE = 10_000;
const PAGE = 200;

/** Granting, checking and revoking consents, each with the bare loop of its kind; then revoking all consents of one holder. */
export const consent: Scenario = {
  name: 'consent',
  async run(session) {
    const { writes, reads, warmUp, rounds } = session.settings;
    const { url } = session.server();
    const holders = await createHolders(url, HOLDERS);
    const ieoIds = (await createInstitutions(url, INSTITUTIONS)).map(({ ieoId }) => ieoId);
    let granted = 0;
    async function grant(count: number, by: readonly SeededHolder[] = holders): Promise<Measurement> {
      const workload = { kind: 'grantConsent', holders: by, ieoIds, from: granted, count } as const;
      granted += count;
      const measurement = await session.measure(session.server(), { workload, connections: CONNECTIONS });
      await untilPosted(url);
      return measurement;
    }

    const bareWrites = await session.startBareLoop('bare-create', prepareForCreate);
    let created = 0;
    const writeBare = (count: number) => {
      const workload = { kind: 'createBEO', from: created, count } as const;
      created += count;
      return session.measure(bareWrites, { workload, connections: CONNECTIONS });
    };
    await writeBare(warmUp);
    await grant(warmUp);
    const grants = await inPairedRounds(session, {
      title: 'grantConsent',
      reference: () => writeBare(writes),
      server: () => grant(writes),
    });

    const tokens = await tokensOf(url, holders, warmUp + rounds * writes);
    const bareReads = await session.startBareLoop('bare-read', async (database) => {
      await prepareForRead(database);
      await fillForRead(database, tokens.length);
    });
    const readBare = (count: number) =>
      session.measure(bareReads, { workload: { kind: 'readByDomain', population: tokens.length, count } });
    const paths = tokens.map(({ tokenId }) => `/api/consent/${tokenId}?intent=SUBMIT_RECORD&category=BSP-CV`);
    const check = (count: number) => session.measure(session.server(), { workload: { kind: 'get', paths, count } });
    await readBare(warmUp);
    await check(warmUp);
    const checks = await inPairedRounds(session, {
      title: 'checking a token',
      reference: () => readBare(reads),
      server: () => check(reads),
    });
    await bareReads.stop();

    let revoked = 0;
    async function revoke(count: number): Promise<Measurement> {
      const workload = { kind: 'revokeToken', tokens: tokens.slice(revoked, revoked + count) } as const;
      revoked += count;
      const measurement = await session.measure(session.server(), { workload, connections: CONNECTIONS });
      await untilPosted(url);
      return measurement;
    }
    await revoke(warmUp);
    const revocations = await inPairedRounds(session, {
      title: 'revokeToken',
      reference: () => writeBare(writes),
      server: () => revoke(writes),
    });
    await bareWrites.stop();

    return [
      ...rateFigures(grants, `grantConsent, ${CONNECTIONS} connections`, 2_000),
      ...rateFigures(revocations, `revokeToken, ${CONNECTIONS} connections`, 2_000),
      ...rateFigures(checks, 'checking a token', 6_000),
      await revokeAll(session, grant),
    ];
  },
};

function rateFigures(rounds: PairedRounds, name: string, atLeast: number): Figure[] {
  const targets: Target[] = [{ of: 'value', atLeast }];
  return [pairedFigure(rounds, name, '/s', ({ perSecond }) => perSecond, targets), ...processorFigures(rounds, name)];
}

const revocationShape = z.object({ revoked_count: z.number() });

/** Milliseconds from the request to the response, for a holder with many consents. */
async function revokeAll(
  session: Session,
  grant: (count: number, by: readonly SeededHolder[]) => Promise<unknown>,
): Promise<Figure> {
  const tokens = session.settings.quick ? TOKENS_TO_REVOKE / 10 : TOKENS_TO_REVOKE;
  const { url } = session.server();
  const rounds: number[] = [];
  for (let round = 0; round < session.settings.rounds; round++) {
    const [holder] = await createHolders(url, 1);
    if (!holder) throw new Error('The holder was not created.');
    await grant(tokens, [holder]);
    const body = signedBody('revokeAllTokens', { beoId: holder.beoId }, signingKeyOf(holder.seed).privateKey);
    const begun = performance.now();
    const { revoked_count } = await postJson(`${url}/api/relayer/beo/revoke-all`, body, revocationShape);
    rounds.push(performance.now() - begun);
    if (revoked_count !== tokens) throw new Error(`${revoked_count} of ${tokens} tokens were revoked.`);
    session.log(`revoking all of ${tokens} tokens: ${rounds.at(-1)?.toFixed(0)} ms`);
  }
  const name = `revoking all of ${tokens} tokens in one operation`;
  return { name, unit: 'ms', rounds, targets: [{ of: 'value', atMost: 500 }] };
}

const historyShape = z.object({
  tokens: z.array(z.object({ token_id: z.string() })),
  next_cursor: z.string().nullable(),
});

async function tokensOf(url: string, holders: readonly SeededHolder[], expected: number) {
  const lists = await Promise.all(
    holders.map(async ({ seed, beoId }) => {
      const tokens: { tokenId: string; seed: string }[] = [];
      let cursor: string | null = null;
      do {
        const after: string = cursor === null ? '' : `&cursor=${cursor}`;
        const path: string = `/api/consent/history/${beoId}?limit=${PAGE}${after}`;
        const page: z.infer<typeof historyShape> = await getJson(url + path, historyShape);
        tokens.push(...page.tokens.map(({ token_id }) => ({ tokenId: token_id, seed })));
        cursor = page.next_cursor;
      } while (cursor !== null);
      return tokens;
    }),
  );
  const all = lists.flat();
  if (all.length !== expected) throw new Error(`There are ${all.length} tokens instead of ${expected}.`);
  return all;
}
