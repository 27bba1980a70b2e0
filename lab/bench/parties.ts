import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Json } from '../../protocol/signing/canonical-json.ts';
import { signedBody, signingKeyOf } from '../../server/platform/crypto/signed-request.ts';
import { requestJson } from './api.ts';

const beoShape = z.object({ beo_id: z.string() });
const ieoShape = z.object({ ieo_id: z.string() });
const tokenShape = z.object({ token: z.object({ token_id: z.string() }) });

const times = <Made>(count: number, make: (seed: string, publicKey: string) => Promise<Made>): Promise<Made[]> =>
  Promise.all(
    Array.from({ length: count }, () => {
      const seed = randomBytes(32).toString('hex');
      return make(seed, signingKeyOf(seed).publicKey);
    }),
  );

const signed = (name: string, fields: Readonly<Record<string, Json>>, seed: string): string =>
  signedBody(name, fields, signingKeyOf(seed).privateKey);

/** Holders whose keys the load generator can derive again, from 32 bytes in hex. */
export const createHolders = (url: string, count: number) =>
  times(count, async (seed, publicKey) => {
    const fields = { domain: `granting-${seed.slice(0, 12)}.bsp`, publicKey, recovery: null };
    const { beo_id: beoId } = await requestJson(`${url}/api/relayer/beo`, beoShape, signed('createBEO', fields, seed));
    return { seed, beoId };
  });

export const createInstitutions = (url: string, count: number) =>
  times(count, async (seed, publicKey) => {
    const fields = { domain: `lab-${seed.slice(0, 12)}.bsp`, ieoType: 'LAB', displayName: 'A laboratory', publicKey };
    const { ieo_id: ieoId } = await requestJson(`${url}/api/ieo`, ieoShape, signed('createIEO', fields, seed));
    return { seed, ieoId };
  });

export type SeededHolder = Awaited<ReturnType<typeof createHolders>>[number];
type SeededInstitution = Awaited<ReturnType<typeof createInstitutions>>[number];
/** With the seed of the grantee. */
export type SeededConsent = Awaited<ReturnType<typeof grantEach>>[number];

/** Every holder grants every institution one consent with this scope. */
export const grantEach = (
  url: string,
  holders: readonly SeededHolder[],
  institutions: readonly SeededInstitution[],
  scope: Json,
) =>
  Promise.all(
    holders.flatMap((holder) =>
      institutions.map(async ({ ieoId, seed }) => {
        const fields = { beoId: holder.beoId, ieoId, scope, expiresInDays: 365 };
        const body = signed('grantConsent', fields, holder.seed);
        const { token } = await requestJson(`${url}/api/relayer/consent`, tokenShape, body);
        return { tokenId: token.token_id, beoId: holder.beoId, ieoId, seed };
      }),
    ),
  );
