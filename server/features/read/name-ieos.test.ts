import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCaller } from '../../http/trpc/router.ts';
import { createClock } from '../../platform/db/clock.ts';
import { freshDomain, startTestService, type TestService } from '../../testing/test-service.ts';
import { type Parties, type Party, partiesOf } from '../../write/test-parties.ts';

const HOUR = 3_600_000;

let shift = 0;
let product: TestService;
let parties: Parties;
let call: ReturnType<typeof createCaller>;
beforeAll(async () => {
  product = await startTestService({}, { clock: createClock(Date.now, () => shift) });
  parties = partiesOf(product, () => Date.now() + shift);
  call = createCaller({ services: product.service.context, address: '192.0.2.1' });
});
afterAll(() => product.stop());

const subdomainOf = (domain: string) => `results.${domain}`;

/** What is shown beside the name of an institution, which must be the same in all procedures. */
async function shownWith({ id, domain }: Party) {
  const { found } = await call.explore({ reference: domain });
  const results = [
    await call.institution({ reference: id }),
    (await call.findInstitutions({ typed: domain })).find(({ ieo_id }) => ieo_id === id),
    (await call.institutions({ limit: 200 })).ieos.find(({ ieo_id }) => ieo_id === id),
    found.kind === 'institution' ? found.institution : undefined,
  ];
  const [first, ...rest] = results.map((ieo) => ieo && { certified: ieo.certified, above: ieo.domain_above });
  for (const shown of rest) expect(shown).toEqual(first);
  return first;
}

describe('beside the name of an institution is shown', () => {
  test('its parent domain if another institution or person has it', async () => {
    const clinic = await parties.newInstitution();
    const holder = await parties.newHolder();
    expect(await shownWith(clinic)).toEqual({ certified: false, above: null });
    for (const { domain } of [clinic, holder]) {
      const stranger = await parties.newInstitution({ domain: subdomainOf(domain) });
      expect(await shownWith(stranger)).toEqual({ certified: false, above: domain });
      const below = await parties.newInstitution({ domain: `a.b.${subdomainOf(domain)}` });
      expect(await shownWith(below)).toEqual({ certified: false, above: subdomainOf(domain) });
    }
    const withoutParent = await parties.newInstitution({ domain: subdomainOf(freshDomain()) });
    expect(await shownWith(withoutParent)).toEqual({ certified: false, above: null });
  });

  test('the parent domain of a destroyed holder, but not one registered with the same key', async () => {
    const clinic = await parties.newInstitution();
    const lab = await parties.newInstitution();
    const own = { domain: subdomainOf(lab.domain), publicKey: lab.person.publicKey };
    const answer = await product.post(
      '/api/ieo',
      parties.sign(lab.person, 'createIEO', parties.ieoFields(lab.person, own)),
    );
    expect((await call.institution({ reference: answer.body.ieo_id })).domain_above).toBe(null);
    const stranger = await parties.newInstitution({ domain: subdomainOf(clinic.domain) });
    await parties.ieo(clinic, 'destroy', 'destroyIEO');
    expect((await call.institution({ reference: stranger.id })).domain_above).toBe(clinic.domain);
  });

  test('whether its certification is valid', async () => {
    const clinic = await parties.newInstitution();
    const expiresAt = new Date(Date.now() + shift + HOUR).toISOString();
    await parties.institute('certification', { ieoId: clinic.id, level: 'BASIC', expiresAt }, 1);
    expect(await shownWith(clinic)).toMatchObject({ certified: true });
    shift += 2 * HOUR;
    expect(await shownWith(clinic)).toMatchObject({ certified: false });
    await parties.institute('certification', { ieoId: clinic.id, level: 'ADVANCED' }, 2);
    expect(await shownWith(clinic)).toMatchObject({ certified: true });
    await parties.decide('suspendIEO', { ieoId: clinic.id, reason: 'Late.' });
    expect((await call.institution({ reference: clinic.id })).certified).toBe(false);
  });
});

test('the explorer returns a consent and a proposal with their institution', async () => {
  const [holder, clinic] = [await parties.newHolder(), await parties.newInstitution()];
  await parties.institute('certification', { ieoId: clinic.id, level: 'BASIC', intents: ['SUBMIT_RECORD'] }, 1);
  const { token_id } = await parties.granted(holder, clinic.id);
  const own = await parties.granted(holder, holder.id);
  const { proposal_id } = (await parties.propose('suspendIEO', { ieoId: clinic.id, reason: 'Late.' })).body.proposal;
  for (const reference of [token_id, proposal_id]) {
    expect((await call.explore({ reference })).found).toMatchObject({
      institution: { ieo_id: clinic.id, certified: true, certification: { intents: ['SUBMIT_RECORD'] } },
    });
  }
  expect((await call.explore({ reference: own.token_id })).found).toMatchObject({ institution: null });
});
