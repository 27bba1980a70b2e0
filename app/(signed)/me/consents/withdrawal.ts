import type { Operations } from '../../../../client/types.ts';
import type { Intent } from '../../../../protocol/entities/intents.ts';

/** What to withdraw, and how many of the loaded consents in force that ends. `own`: to the holder's own key. */
export type Withdrawal =
  | { readonly kind: 'one'; readonly tokenId: string; readonly who: string; readonly own: boolean }
  | {
      readonly kind: 'grantee';
      readonly ieoId: string;
      readonly who: string;
      readonly own: boolean;
      readonly count: number;
    }
  | { readonly kind: 'intent'; readonly intent: Intent; readonly count: number }
  | { readonly kind: 'all'; readonly count: number };

type Signed = {
  [Name in 'revokeToken' | 'revokeAllFromIEO' | 'revokeByIntent' | 'revokeAllTokens']: {
    readonly operation: Name;
    readonly fields: Operations[Name]['fields'];
  };
}['revokeToken' | 'revokeAllFromIEO' | 'revokeByIntent' | 'revokeAllTokens'];

/** The operation that withdraws it (protocol §1). */
export function operationFor(withdrawal: Withdrawal, beoId: string): Signed {
  switch (withdrawal.kind) {
    case 'one':
      return { operation: 'revokeToken', fields: { tokenId: withdrawal.tokenId } };
    case 'grantee':
      return { operation: 'revokeAllFromIEO', fields: { beoId, ieoId: withdrawal.ieoId } };
    case 'intent':
      return { operation: 'revokeByIntent', fields: { beoId, intent: withdrawal.intent } };
    case 'all':
      return { operation: 'revokeAllTokens', fields: { beoId } };
  }
}
