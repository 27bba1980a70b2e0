import type { BeoView } from '../../../../protocol/entities/beo.ts';
import type { GuardianRole } from '../../../../protocol/entities/guardian.ts';
import type { Invitation } from '../../../../protocol/operation.ts';
import type { Steps } from '../../../_wizard/use-step.ts';
import type { KnownGuardians } from './known-guardians.ts';
import type { GuardiansStatus, Place } from './status.ts';
import type { Sending } from './use-guardian-sending.ts';

/** A guardian as an argument of a message: by name, or only by the role. */
export type Who = Readonly<{ role: 'named'; name: string } | { role: GuardianRole; name: '' }>;

/** What has just been done. */
export type Outcome =
  | { readonly kind: 'passed' | 'enabled' | 'required' | 'cancelled' | 'practised' }
  | { readonly kind: 'confirmed' | 'removed' | 'gone' | 'withdrawn'; readonly who: Who };

/** The guardian and the key (hex) whose words the holder has compared. */
export interface Compared {
  readonly guardianId: string;
  readonly publicKey: string;
}

/** The props of every guardian screen. */
export interface Flow {
  readonly view: BeoView;
  /** As stored in this browser. */
  readonly beoId: string;
  readonly domain: string;
  readonly guardiansStatus: GuardiansStatus;
  readonly steps: Steps;
  readonly focus: boolean;
  readonly sending: Sending;
  /** Whether the service writes to guardians who have a mail address. */
  readonly mails: boolean;
  /** The names of the guardians, while the key is open. */
  readonly known: KnownGuardians;
  who(place: Place): Who;
  /** “First guardian (Maria)” */
  nameOf(place: Place): string;
  /** The words match: only this key is confirmed, not another that a later read may show. */
  onCompared(compared: Compared): void;
  onLinks(links: readonly Invitation[]): void;
  onDone(outcome: Outcome): void;
}
