import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Json } from '../protocol/signing/canonical-json.ts';
import { signedBody, signingKeyOf } from '../server/crypto/signed-request.ts';
import type { SeededConsent, SeededHolder, SeededInstitution } from './load/workloads.ts';

const beoShape = z.object({ beo_id: z.string() });
const ieoShape = z.object({ ieo_id: z.string() });
const tokenShape = z.object({ token: z.object({ token_id: z.string() }) });

/** @throws {Error} with the beginning of the answer, where it is no success or has another shape. */
export async function post<Shape extends z.ZodType>(url: string, body: string, shape: Shape): Promise<z.infer<Shape>> {
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`POST ${url} was answered ${response.status}: ${text.slice(0, 300)}`);
  return shape.parse(JSON.parse(text));
}

export const createHolders = (url: string, count: number): Promise<SeededHolder[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const seed = randomBytes(32).toString('hex');
      const { privateKey, publicKey } = signingKeyOf(seed);
      const fields = { domain: `granting-${seed.slice(0, 12)}.bsp`, publicKey, recovery: null };
      const { beo_id } = await post(`${url}/api/relayer/beo`, signedBody('createBEO', fields, privateKey), beoShape);
      return { seed, beoId: beo_id };
    }),
  );

export const createInstitutions = (url: string, count: number): Promise<SeededInstitution[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const seed = randomBytes(32).toString('hex');
      const { privateKey, publicKey } = signingKeyOf(seed);
      const fields = { domain: `lab-${seed.slice(0, 12)}.bsp`, ieoType: 'LAB', displayName: 'A laboratory', publicKey };
      const { ieo_id } = await post(`${url}/api/ieo`, signedBody('createIEO', fields, privateKey), ieoShape);
      return { seed, ieoId: ieo_id };
    }),
  );

/** Every holder grants every institution one token of this scope. */
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
        const { token } = await post(`${url}/api/relayer/consent`, body, tokenShape);
        return { tokenId: token.token_id, beoId: holder.beoId, ieoId, seed };
      });
    }),
  );
