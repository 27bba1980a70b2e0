import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Json } from '../../protocol/signing/canonical-json.ts';
import { signedBody, signingKeyOf } from '../../server/platform/crypto/signed-request.ts';
import { postJson } from './api.ts';
import type { SeededConsent, SeededHolder, SeededInstitution } from './load/workloads.ts';

const beoShape = z.object({ beo_id: z.string() });
const ieoShape = z.object({ ieo_id: z.string() });
const tokenShape = z.object({ token: z.object({ token_id: z.string() }) });

export const createHolders = (url: string, count: number): Promise<SeededHolder[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const seed = randomBytes(32).toString('hex');
      const { privateKey, publicKey } = signingKeyOf(seed);
      const fields = { domain: `granting-${seed.slice(0, 12)}.bsp`, publicKey, recovery: null };
      const body = signedBody('createBEO', fields, privateKey);
      const { beo_id } = await postJson(`${url}/api/relayer/beo`, body, beoShape);
      return { seed, beoId: beo_id };
    }),
  );

export const createInstitutions = (url: string, count: number): Promise<SeededInstitution[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const seed = randomBytes(32).toString('hex');
      const { privateKey, publicKey } = signingKeyOf(seed);
      const fields = { domain: `lab-${seed.slice(0, 12)}.bsp`, ieoType: 'LAB', displayName: 'A laboratory', publicKey };
      const { ieo_id } = await postJson(`${url}/api/ieo`, signedBody('createIEO', fields, privateKey), ieoShape);
      return { seed, ieoId: ieo_id };
    }),
  );

/** Every holder grants every institution one consent with this scope. */
export const grantEach = (
  url: string,
  holders: readonly SeededHolder[],
  institutions: readonly SeededInstitution[],
  scope: Json,
): Promise<SeededConsent[]> =>
  Promise.all(
    holders.flatMap((holder) => {
      const { privateKey } = signingKeyOf(holder.seed);
      return institutions.map(async ({ ieoId, seed }) => {
        const fields = { beoId: holder.beoId, ieoId, scope, expiresInDays: 365 };
        const body = signedBody('grantConsent', fields, privateKey);
        const { token } = await postJson(`${url}/api/relayer/consent`, body, tokenShape);
        return { tokenId: token.token_id, beoId: holder.beoId, ieoId, seed };
      });
    }),
  );
