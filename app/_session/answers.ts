import type { BeoView } from '../../protocol/beo.ts';
import type { IeoView } from '../../protocol/ieo.ts';
import type { TokenView } from '../../protocol/token.ts';
import type { OperationName } from './operations.ts';

interface Accepted {
  readonly transactionId: string;
  /** The signed data item, base64. */
  readonly receipt: string;
}

export interface Invitation {
  readonly guardian_id: string;
  readonly role: string;
  readonly url: string;
  readonly expires_at: string;
}

interface Rotated extends Accepted {
  readonly key_version: number;
  readonly public_key: string;
}

interface Revoked extends Accepted {
  readonly revoked_count: number;
}

/** What each operation is answered with (protocol §4). */
export interface OperationAnswers extends Record<OperationName, Accepted> {
  createBEO: Accepted & { readonly beo_id: string; readonly domain: string; readonly beo: BeoView };
  rotateBEOKey: Rotated;
  rotateIEOKey: Rotated;
  updateBEORecovery: Accepted & { readonly invitations: readonly Invitation[] };
  requireConfirmedGuardians: Accepted & { readonly recovery: BeoView['recovery'] };
  resignGuardian: Accepted & { readonly guardian_id: string; readonly status: 'REMOVED'; readonly beo_domain: string };
  inviteGuardian: Accepted & {
    readonly guardian_id: string;
    readonly invitation_id: string;
    readonly url: string;
    readonly expires_at: string;
  };
  createIEO: Accepted & { readonly ieo_id: string; readonly domain: string; readonly ieo: IeoView };
  updateIEOContacts: Accepted & { readonly ieo: IeoView };
  grantConsent: Accepted & { readonly token: TokenView };
  revokeToken: Accepted & { readonly token_id: string; readonly revoked_at: string };
  revokeAllTokens: Revoked;
  revokeAllFromIEO: Revoked;
  revokeByIntent: Revoked;
  submitRecords: Accepted & { readonly record_ids: readonly string[]; readonly salt: string };
}
