import { z } from 'zod';
import { signedBody, signingKeyOf } from '../../server/crypto/signed-request.ts';
import { fillForRead, prepareForCreate, prepareForRead } from '../bare/bare-database.ts';
import type { Figure } from '../figures.ts';
import { untilPosted } from '../ledger-facts.ts';
import type { SeededHolder } from '../load/workloads.ts';
import { inPairedRounds, pairedFigure, processorFigures } from '../paired-rounds.ts';
import { createHolders, createInstitutions, post } from '../parties.ts';
import type { Scenario } from '../scenario.ts';
import type { Session } from '../session.ts';

/** Of the writes: consents are given from many phones at once. */
const CONNECTIONS = 64;
const HOLDERS = 200;
const INSTITUTIONS = 20;
const EMERGENCY_TOKENS = 10_000;
const PAGE = 200;
const MAX_POSTING_SECONDS = 120;

/**
 * Granting, verifying and revoking consents, each beside the bare loop of the same kind: a signed write, an indexed read.
 * Then one holder with many of them revokes all at once.
 */
export const consent: Scenario = {
  name: 'consent',
  async run(session) {
    const { writes, reads, warmUp, rounds } = session.settings;
    const { url } = session.server();
    const holders = await createHolders(url, HOLDERS);
    const ieoIds = (await createInstitutions(url, INSTITUTIONS)).map(({ ieoId }) => ieoId);
    let granted = 0;
    const grant = async (count: number, to: readonly SeededHolder[] = holders) => {
      const workload = { kind: 'grantConsent', holders: to, ieoIds, from: granted, count } as const;
      granted += count;
      const measured = await session.measure(session.server(), { workload, connections: CONNECTIONS });
      await untilPosted(url, MAX_POSTING_SECONDS);
      return measured;
    };

    const signedWrite = await session.startBare('bare-create', prepareForCreate);
    let created = 0;
    const bareWrite = (count: number) => {
      const workload = { kind: 'createBEO', from: created, count } as const;
      created += count;
      return session.measure(signedWrite, { workload, connections: CONNECTIONS });
    };
    await bareWrite(warmUp);
    await grant(warmUp);
    const grants = await inPairedRounds(session, 'grantConsent', {
      bare: () => bareWrite(writes),
      served: () => grant(writes),
    });

    const tokens = await tokensOf(url, holders, warmUp + rounds * writes);
    const read = await session.startBare('bare-read', async (database) => {
      await prepareForRead(database);
      await fillForRead(database, tokens.length);
    });
    const paths = tokens.map(({ tokenId }) => `/api/consent/${tokenId}?intent=SUBMIT_RECORD&category=BSP-CV`);
    const verify = (count: number) => session.measure(session.server(), { workload: { kind: 'get', paths, count } });
    const bareRead = (count: number) =>
      session.measure(read, { workload: { kind: 'readByDomain', population: tokens.length, count } });
    await bareRead(warmUp);
    await verify(warmUp);
    const verified = await inPairedRounds(session, 'verifying a token', {
      bare: () => bareRead(reads),
      served: () => verify(reads),
    });
    await read.stop();

    let revoked = 0;
    const revoke = async (count: number) => {
      const workload = { kind: 'revokeToken', tokens: tokens.slice(revoked, revoked + count) } as const;
      revoked += count;
      const measured = await session.measure(session.server(), { workload, connections: CONNECTIONS });
      await untilPosted(url, MAX_POSTING_SECONDS);
      return measured;
    };
    await revoke(warmUp);
    const revocations = await inPairedRounds(session, 'revokeToken', {
      bare: () => bareWrite(writes),
      served: () => revoke(writes),
    });
    await signedWrite.stop();

    const atLeast = (value: number) => [{ of: 'value', atLeast: value }] as const;
    return [
      pairedFigure(
        grants,
        `grantConsent, ${CONNECTIONS} connections`,
        '/s',
        ({ perSecond }) => perSecond,
        atLeast(2_000),
      ),
      ...processorFigures(grants, 'grantConsent'),
      pairedFigure(
        revocations,
        `revokeToken, ${CONNECTIONS} connections`,
        '/s',
        ({ perSecond }) => perSecond,
        atLeast(2_000),
      ),
      ...processorFigures(revocations, 'revokeToken'),
      pairedFigure(verified, 'verifying a token', '/s', ({ perSecond }) => perSecond, atLeast(6_000)),
      ...processorFigures(verified, 'verifying a token'),
      await revokeAll(session, grant),
    ];
  },
};

/** Milliseconds from request to answer; the answer must count every token. */
async function revokeAll(
  session: Session,
  grant: (count: number, to: readonly SeededHolder[]) => Promise<unknown>,
): Promise<Figure> {
  const tokens = session.settings.quick ? EMERGENCY_TOKENS / 10 : EMERGENCY_TOKENS;
  const { url } = session.server();
  const taken: number[] = [];
  for (let round = 0; round < session.settings.rounds; round++) {
    const [holder] = await createHolders(url, 1);
    if (!holder) throw new Error('The holder was not created.');
    await grant(tokens, [holder]);
    const body = signedBody('revokeAllTokens', { beoId: holder.beoId }, signingKeyOf(holder.seed).privateKey);
    const begun = performance.now();
    const { revoked_count } = await post(`${url}/api/relayer/beo/revoke-all`, body, revokedShape);
    taken.push(performance.now() - begun);
    if (revoked_count !== tokens) throw new Error(`Of ${tokens} tokens ${revoked_count} were revoked.`);
    session.say(`revoke-all of ${tokens} tokens: ${taken.at(-1)?.toFixed(0)} ms`);
  }
  const name = `revoking all of ${tokens} tokens in one operation`;
  return { name, unit: 'ms', rounds: taken, targets: [{ of: 'value', atMost: 500 }] };
}

const revokedShape = z.object({ revoked_count: z.number() });
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
        const page: string = cursor === null ? '' : `&cursor=${cursor}`;
        const answer = await fetch(`${url}/api/consent/history/${beoId}?limit=${PAGE}${page}`);
        const { tokens: read, next_cursor } = historyShape.parse(await answer.json());
        tokens.push(...read.map(({ token_id }) => ({ tokenId: token_id, seed })));
        cursor = next_cursor;
      } while (cursor !== null);
      return tokens;
    }),
  );
  const all = lists.flat();
  if (all.length !== expected) throw new Error(`There should be ${expected} tokens, and there are ${all.length}.`);
  return all;
}
