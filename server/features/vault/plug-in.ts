import type { Batch } from '../../write/batch.ts';
import { type PlugIn, stateOf } from '../../write/plug-in.ts';
import type { Submission } from '../../write/submission.ts';
import {
  addStored,
  bytesToKeep,
  isYoung,
  loadStored,
  refuseStoring,
  type StorageLimits,
  type Stored,
  type Storing,
  saveStored,
} from './stored-bytes.ts';
import type { SealedRows, Vault } from './vault.ts';
import {
  deleteVaultKeys,
  deleteVaultRows,
  type RowExpiry,
  saveRowExpiries,
  saveVaultKeys,
  saveVaultRows,
} from './vault-rows.ts';

export interface VaultState {
  /** Data keys by owner, including those that the batch creates. */
  readonly keys: Map<string, Buffer>;
  /** Stored bytes, including those that the batch adds. */
  readonly stored: Stored;
  readonly storing: Storing[];
  readonly sealed: SealedRows[];
  readonly expiries: RowExpiry[];
  readonly rowsToDelete: string[];
}

export type VaultPlugIn = PlugIn<never, VaultState>;

/** Stores the private rows of submissions: encrypted under their owner's data key, and within the storage limits. */
export function createVaultPlugIn(vault: Vault, limits: StorageLimits, now: () => number): VaultPlugIn {
  const plugIn: VaultPlugIn = {
    async load(client, submissions) {
      const owners = submissions.filter(({ privateRows }) => privateRows.length > 0).map(({ ownerId }) => ownerId);
      const storing = submissions.flatMap((submission) => storingOf(submission) ?? []);
      const [keys, stored] = await Promise.all([
        owners.length > 0 ? vault.loadKeys(client, owners) : new Map<string, Buffer>(),
        storing.length > 0 ? loadStored(client, storing, now()) : new Map<string, number>(),
      ]);
      return { keys, stored, storing: [], sealed: [], expiries: [], rowsToDelete: [] };
    },

    admit(batch, submission) {
      const storing = storingOf(submission);
      if (!storing || submission.reserve !== null) return;
      const { stored } = stateOf(plugIn, batch);
      const refusal = refuseStoring(limits, stored, storing, {
        ownerKind: ownerKind(batch, storing.ownerId),
        young: isYoung(partyOf(batch, storing.byId), now()),
      });
      if (refusal) throw refusal;
    },

    apply(batch, submission, { outcome }) {
      const state = stateOf(plugIn, batch);
      const { ownerId, entityId, privateRows, freshKey } = submission;
      if (privateRows.length > 0) {
        state.sealed.push(vault.sealRows(state.keys, ownerId, privateRows, freshKey ?? undefined));
      }
      const storing = storingOf(submission);
      if (storing) {
        addStored(state.stored, storing, isYoung(partyOf(batch, storing.byId), now()));
        state.storing.push(storing);
      }
      state.rowsToDelete.push(...outcome.rowsToDelete);
      state.expiries.push(...outcome.rowsToExpire.map((expiry) => ({ ...expiry, ownerId: entityId })));
    },

    write(batch) {
      const { sealed, expiries, storing, rowsToDelete } = stateOf(plugIn, batch);
      const newKeys = sealed.flatMap(({ newKey }) => newKey ?? []);
      // Two configurations in a batch can name the same guardian, but a statement can write a row only once: the last wins.
      const rows = [...new Map(sealed.flatMap((added) => added.rows.map((row) => [row.id, row]))).values()];
      return [
        ...(newKeys.length > 0 ? [saveVaultKeys(newKeys)] : []),
        ...(rows.length > 0 ? [saveVaultRows(rows)] : []),
        ...(expiries.length > 0 ? [saveRowExpiries(expiries)] : []),
        ...(storing.length > 0 ? [saveStored(storing)] : []),
        ...(rowsToDelete.length > 0 ? [deleteVaultRows(rowsToDelete)] : []),
      ];
    },

    erase: (ownerIds) => [deleteVaultKeys(ownerIds)],
  };
  return plugIn;
}

/** The bytes that a submission stores permanently; null for none. */
function storingOf({ ownerId, storedBy, privateRows, ciphertextBytes }: Submission): Storing | null {
  const bytes = bytesToKeep(privateRows) + ciphertextBytes;
  return bytes > 0 ? { ownerId, byId: storedBy, bytes } : null;
}

function partyOf({ entities }: Batch, id: string) {
  const institution = entities.get('IEO', id);
  const party = institution ?? entities.get('BEO', id);
  if (!party) return null;
  return {
    createdAt: party.createdAt,
    isCertified: (institution?.certification.level ?? 'UNCERTIFIED') !== 'UNCERTIFIED',
  };
}

const ownerKind = ({ entities }: Batch, ownerId: string): 'BEO' | 'IEO' =>
  entities.get('IEO', ownerId) ? 'IEO' : 'BEO';
