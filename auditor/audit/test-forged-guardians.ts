import { randomUUID } from 'node:crypto';
import type { Beo } from '../../protocol/entities/beo.ts';
import type { GuardianRole } from '../../protocol/entities/guardian.ts';
import { epochBeginning } from '../../protocol/ledger/epoch.ts';
import type { Draft } from '../../server/ledger/chain.ts';
import { newPerson, type Person } from '../../server/testing/test-service.ts';
import type { Audit } from './audit.ts';
import { countGuardians } from './guardian-signatures.ts';
import { forgedLedger } from './test-forged-ledger.ts';
import type { Written } from './test-relayer.ts';

export interface WrittenGuardian {
  readonly person: Person;
  readonly guardianId: string;
  readonly invitationId: string;
  readonly role: GuardianRole;
}

export interface WrittenRequest {
  readonly requestId: string;
  readonly newPublicKey: string;
  readonly openedAt: string;
}

export const HOUR_MS = 3_600_000;
const MONTH_MS = 30 * 24 * HOUR_MS;

/** The public part of a sealed configuration: newly invited guardians, and kept ones with their keys. */
export const configured = (invited: readonly WrittenGuardian[], kept: readonly WrittenGuardian[] = []) => ({
  enabled: true,
  guardians: [...invited, ...kept].map((guardian) => ({
    guardian_id: guardian.guardianId,
    invitation_id: guardian.invitationId,
    role: guardian.role,
    public_key: kept.includes(guardian) ? guardian.person.publicKey : null,
  })),
});

export const newGuardian = (role: GuardianRole): WrittenGuardian => ({
  person: newPerson(),
  guardianId: randomUUID(),
  invitationId: randomUUID(),
  role,
});

/** A forged ledger that began a month ago, with a holder as its first entry. */
export async function guardedLedger() {
  const ledger = await forgedLedger();
  const { relayer, publish, audit } = ledger;
  relayer.head.at -= MONTH_MS;
  const holder = relayer.create('anna.bsp');
  const { person, beoId } = holder;
  const items: Written[] = [];
  const write = (...drafts: readonly Draft[]) => items.push(...drafts.map((draft) => relayer.write(draft)));
  write(holder.draft);

  const scenario = {
    ...ledger,
    holder,
    items,
    write,
    wait: (hours: number) => {
      relayer.head.at += hours * HOUR_MS;
    },
    async audited() {
      await publish(items);
      return audit(2 * MONTH_MS);
    },

    configure: (...given: Parameters<typeof configured>): Draft =>
      relayer.seal(person, beoId, 'updateRecovery', configured(...given)),
    invite: ({ guardianId, invitationId, role }: WrittenGuardian): Draft =>
      relayer.seal(person, beoId, 'inviteGuardian', {
        guardian: { guardian_id: guardianId, invitation_id: invitationId, role, public_key: null },
      }),
    accept: ({ person: guardian, invitationId }: WrittenGuardian) =>
      relayer.act(guardian, beoId, 'acceptGuardian', { invitationId, publicKey: guardian.publicKey }),
    confirm: ({ person: { publicKey }, guardianId }: WrittenGuardian): Draft =>
      relayer.act(person, beoId, 'confirmGuardian', { guardianId, publicKey }),
    require: (signer: Person = person): Draft => relayer.act(signer, beoId, 'requireConfirmedGuardians'),
    resign: ({ person: guardian, guardianId }: WrittenGuardian): Draft =>
      relayer.act(guardian, beoId, 'resignGuardian', { guardianId }),
    request: (changes: Partial<WrittenRequest> = {}): WrittenRequest => ({
      requestId: randomUUID(),
      newPublicKey: newPerson().publicKey,
      openedAt: new Date(relayer.head.at).toISOString(),
      ...changes,
    }),
    recover: ({ person: guardian }: Pick<WrittenGuardian, 'person'>, request: WrittenRequest) => ({
      ...relayer.act(guardian, beoId, 'confirmRecovery', {
        requestId: request.requestId,
        newPublicKey: request.newPublicKey,
      }),
      assigned: { opened_at: request.openedAt },
    }),
    beginEpoch(): void {
      const { epoch, seq } = relayer.head;
      const message = { ...epochBeginning(epoch + 1, seq) };
      const common = { function: 'beginEpoch', entity_id: relayer.ledgerId, signer: null, signature: null };
      items.push(relayer.write({ ...common, message }, { entry: { epoch: epoch + 1 } }));
      relayer.head.at += 1_000;
    },
  };

  /** Three accepted guardians; the holder has confirmed the keys of the first `confirmed`. */
  function withGuardians(confirmed: number): Trio {
    const guardians = trio();
    write(scenario.configure(guardians));
    for (const guardian of guardians) write(scenario.accept(guardian));
    for (const guardian of guardians.slice(0, confirmed)) write(scenario.confirm(guardian));
    return guardians;
  }

  return { ...scenario, withGuardians };
}

export type GuardedLedger = Awaited<ReturnType<typeof guardedLedger>>;

export type Trio = [WrittenGuardian, WrittenGuardian, WrittenGuardian];

export const trio = (): Trio => [newGuardian('primary'), newGuardian('secondary'), newGuardian('tertiary')];

export const beoOf = ({ replay }: Audit, { holder }: GuardedLedger): Beo => {
  const beo = replay.state.get('BEO', holder.beoId);
  if (!beo) throw new Error('The identity does not exist.');
  return beo;
};

export const hasMoved = (audit: Audit, scenario: GuardedLedger, { newPublicKey }: WrittenRequest): boolean =>
  beoOf(audit, scenario).publicKey === newPublicKey;

export const sentences = ({ findings }: Audit): string[] => findings.examples(50).map(({ sentence }) => sentence);

export const guardiansOf = ({ replay }: Audit) => countGuardians(replay.state.withGuardians());
